"""Management of tokens by people.

pages.py      systems that read at a casino; make and revoke a token;  forms.py  their forms
services.py   make_token, revoke_token
selectors.py  permissions and access_grant
"""
