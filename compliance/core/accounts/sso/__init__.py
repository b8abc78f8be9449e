"""Single sign-on by OpenID Connect: an inspectorate's own provider says who somebody is. What they may do stays here.

providers.py   the file OIDC_PROVIDERS: which providers there are, and for whom each answers
asking.py      the only calls out: to the issuer, by HTTPS, within a known time and size
metadata.py    where a provider has its addresses and its keys; remembered for an hour
flow.py        the authorisation code flow: where the browser is sent, and who comes back
id_tokens.py   what makes the provider's word believed
waiting.py     what waits in the session: the way there and back, and an identity to be linked
errors.py      what is refused, in plain sentences
required.py    where an inspectorate demands that its people come in this way
"""
