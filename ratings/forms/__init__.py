"""Forms: they read what users type. The modules below decide what it means."""
