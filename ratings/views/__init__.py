"""Pages. A view finds its subject, asks `rights`, fetches through `queries` and renders; it computes nothing."""
