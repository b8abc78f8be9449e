"""The JSON endpoints under /api/v1/casinos/: views, log mirror, token authentication, query parameters, response
schemas, OpenAPI.
"""
