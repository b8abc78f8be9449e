"""HTTP API of the table controllers: view, middleware, rate limit, OpenAPI document and its help page."""
