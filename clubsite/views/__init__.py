"""The site's own pages: long work, signing in, one's account."""
