"""Single sign-on by OpenID Connect: an inspectorate's provider authenticates its people. Roles stay in this service.

providers.py       the file OIDC_PROVIDERS: which providers there are, and which people each covers
http_client.py     calls to a provider: HTTPS to its hosts only, limited in time and size
metadata.py        discovery document and keys of a provider, cached for an hour
flow.py            authorization code flow with PKCE
id_tokens.py       validation of the ID token
session_state.py   pending authorizations and an identity to be linked, in the session
policy.py          providers that are mandatory for their people
models.py          IdentityLink
errors.py          refusals
"""
