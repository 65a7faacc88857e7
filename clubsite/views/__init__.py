"""The site's own pages: long work, signing in, the user's account."""
