"""What implements the tools, and an application of ASGI that serves them."""
