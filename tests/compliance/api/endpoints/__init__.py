"""Tests of the JSON endpoints and their OpenAPI document."""
