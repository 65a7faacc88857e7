"""Values as older versions stored them: each is read, and written, as it was."""
