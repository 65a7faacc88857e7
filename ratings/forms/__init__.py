"""The shape of what people type; what it means is decided below."""
