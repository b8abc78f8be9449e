"""Every URL of the site against every role, an outsider and an anonymous visitor. A new URL needs a row."""

from collections.abc import Iterable

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from compliance.core.accounts.roles import Role
from compliance.core.web.access import AccessRule, UrlRoute, access_rule_of, all_url_routes
from rounds.ledger.signing.checkpoints import create_key_file
from tests.compliance.core.accounts.people import PASSWORD, browser_of, found_casino, give_phone, hire
from tests.contracts.blank_responses import blank_pages
from tests.contracts.url_arguments import Places, person_named, url_arguments_at
from tests.drills.support.full_length import count_in_tally
from tests.fixture_snapshots import snapshotted

__all__ = ["blank_pages"]

# Columns: an anonymous visitor; an inspector who gave the password but no code; the nine roles at Harbour; an
# outsider, who administers another casino. Cells: the status of a GET, or where it redirects: `in` to sign-in, `code`
# to the second-factor code, `home` to the home page, `there` to another page of theirs. 405: allowed, but only by POST.
# Each column opens the URLs from top to bottom in one session. Templates are not rendered here; that each page renders
# is tested with one of its readers in test_every_list_is_exported.py and another in
# tests/drills/test_intruder_texts.py.
MATRIX = """
                          anonym  half  insp  auth  csup  gsup  shift mark  compl admin gadm  outs
desk:home                 in      code  200   200   200   200   200   200   200   200   200   200
desk:search               in      code  200   200   200   200   200   200   200   200   200   200
desk:search-casino        in      code  200   200   200   200   200   200   200   200   200   404
desk:floor                in      code  200   200   200   200   200   404   200   404   404   404
desk:table                in      code  200   200   200   200   200   404   200   404   404   404
desk:timeline             in      code  200   200   200   200   200   404   200   404   404   404
desk:round                in      code  200   200   200   200   200   404   200   404   404   404
desk:replay               in      code  200   200   200   200   200   404   200   404   404   404

web:healthz               200     200   200   200   200   200   200   200   200   200   200   200
web:readyz                503     503   503   503   503   503   503   503   503   503   503   503
web:status                in      code  200   200   200   200   200   200   200   200   200   200
web:help                  200     200   200   200   200   200   200   200   200   200   200   200
web:help-page             200     200   200   200   200   200   200   200   200   200   200   200
web:stay                  in      code  405   405   405   405   405   405   405   405   405   405
web:mailbox               200     200   200   200   200   200   200   200   200   200   200   200
web:mail                  200     200   200   200   200   200   200   200   200   200   200   200

accounts:sign-in          200     home  home  home  home  home  home  home  home  home  home  home
accounts:code             in      200   home  home  home  home  home  home  home  home  home  home
accounts:enrol-qr         in      404   404   404   404   404   404   404   404   404   404   404
accounts:enrol            in      code  code  code  code  code  code  code  code  code  code  code
accounts:sign-out         in      405   405   405   405   405   405   405   405   405   405   405
accounts:provider-owed    in      home  home  home  home  home  home  home  home  home  home  home
accounts:begin-journey    404     404   404   404   404   404   404   404   404   404   404   404
accounts:end-journey      404     404   404   404   404   404   404   404   404   404   404   404
accounts:signed-out       404     404   404   404   404   404   404   404   404   404   404   404
accounts:forgotten        200     200   200   200   200   200   200   200   200   200   200   200
accounts:forgotten-sent   200     200   200   200   200   200   200   200   200   200   200   200
accounts:reset            410     410   410   410   410   410   410   410   410   410   410   410
accounts:accept           200     code  409   409   409   409   409   409   409   409   409   409

accounts:account          in      code  200   200   200   200   200   200   200   200   200   200
accounts:change-password  in      code  200   200   200   200   200   200   200   200   200   200
accounts:new-codes        in      code  200   200   200   200   200   200   200   200   200   200
accounts:replace          in      code  200   200   200   200   200   200   200   200   200   200
accounts:link-identity    in      code  410   410   410   410   410   410   410   410   410   410
accounts:remove-own-identity in      code  200   404   404   404   404   404   404   404   404   404
accounts:everywhere       in      code  200   200   200   200   200   200   200   200   200   200

accounts:casinos          in      code  403   403   403   403   403   403   403   there there there
accounts:people           in      code  404   404   404   404   404   404   404   200   200   404
accounts:people-chart     in      code  404   404   404   404   404   404   404   200   200   404
accounts:invite           in      code  404   404   404   404   404   404   404   200   200   404
accounts:invitations      in      code  404   404   404   404   404   404   404   200   200   404
accounts:invite-again     in      code  404   404   404   404   404   404   404   200   404   404
accounts:withdraw         in      code  404   404   404   404   404   404   404   200   404   404
accounts:person           in      code  404   404   404   404   404   404   404   200   404   404
accounts:give-role        in      code  404   404   404   404   404   404   404   200   404   404
accounts:end-role         in      code  404   404   404   404   404   404   404   200   404   404
accounts:disable          in      code  404   404   404   404   404   404   404   200   404   404
accounts:enable           in      code  404   404   404   404   404   404   404   200   404   404
accounts:reset-factor     in      code  404   404   404   404   404   404   404   200   404   404
accounts:unlock           in      code  404   404   404   404   404   404   404   200   404   404
accounts:offer-identity   in      code  404   404   404   404   404   404   404   404   404   404
accounts:remove-identity  in      code  404   404   404   404   404   404   404   404   200   404

patrons:casinos           in      code  there there 403   403   403   403   there 403   403   403
patrons:records           in      code  200   200   404   404   404   404   200   404   404   404
patrons:looks             in      code  200   200   404   404   404   404   200   404   404   404
patrons:destroyed         in      code  200   200   404   404   404   404   200   404   404   404
patrons:retention         in      code  200   200   404   404   404   404   200   404   404   404
patrons:set-retention     in      code  404   200   404   404   404   404   404   404   404   404
patrons:record            in      code  200   200   404   404   404   404   200   404   404   404
patrons:show              in      code  200   200   404   404   404   404   200   404   404   404
patrons:hold              in      code  200   200   404   404   404   404   200   404   404   404
patrons:destroy           in      code  404   200   404   404   404   404   404   404   404   404
terms:casinos             in      code  there there 403   403   403   there there 403   403   403
promotions:board          in      code  200   200   404   404   404   200   200   404   404   404
promotions:calendar       in      code  200   200   404   404   404   200   200   404   404   404
terms:promotions          in      code  200   200   404   404   404   200   200   404   404   404
terms:begin               in      code  404   404   404   404   404   200   200   404   404   404
terms:draft               in      code  404   404   404   404   404   200   200   404   404   404
terms:draft-step          in      code  404   404   404   404   404   200   200   404   404   404
terms:draft-prizes        in      code  404   404   404   404   404   200   200   404   404   404
terms:prize-new           in      code  404   404   404   404   404   200   200   404   404   404
terms:prize-add           in      code  404   404   404   404   404   200   200   404   404   404
terms:prize               in      code  404   404   404   404   404   200   200   404   404   404
terms:prize-remove        in      code  404   404   404   404   404   405   405   404   404   404
terms:preview             in      code  404   404   404   404   404   200   200   404   404   404
terms:file                in      code  404   404   404   404   404   200   200   404   404   404
terms:ask                 in      code  404   404   404   404   404   there there 404   404   404
terms:discard             in      code  404   404   404   404   404   200   200   404   404   404
terms:promotion           in      code  200   200   404   404   404   200   200   404   404   404
terms:postpone            in      code  404   404   404   404   404   200   200   404   404   404
terms:validate            in      code  404   404   404   404   404   200   200   404   404   404
terms:change              in      code  404   404   404   404   404   405   405   404   404   404
terms:materials           in      code  200   200   404   404   404   200   200   404   404   404
terms:record-material     in      code  404   404   404   404   404   200   200   404   404   404
terms:version             in      code  200   200   404   404   404   200   200   404   404   404
terms:pdf                 in      code  200   200   404   404   404   200   200   404   404   404
terms:decide              in      code  404   200   404   404   404   404   404   404   404   404
terms:prescribed          in      code  200   200   404   404   404   200   200   404   404   404
terms:prescribe           in      code  404   200   404   404   404   404   404   404   404   404
terms:unprescribe         in      code  404   200   404   404   404   404   404   404   404   404
terms:attachment          in      code  200   200   404   404   404   200   200   404   404   404
terms:public-now          there   there there there there there there there there there there there
terms:public              200     200   200   200   200   200   200   200   200   200   200   200
terms:qr                  200     200   200   200   200   200   200   200   200   200   200   200
draws:not-told            in      code  200   200   404   404   404   200   200   404   404   404
draws:holidays            in      code  200   200   404   404   404   200   200   200   404   404
draws:change-holidays     in      code  404   404   404   404   404   404   200   200   404   404
draws:draws               in      code  200   200   404   404   404   200   200   404   404   404
draws:schedule            in      code  404   404   404   404   404   200   200   404   404   404
draws:draw                in      code  200   200   404   404   404   200   200   404   404   404
draws:hold                in      code  404   404   404   404   404   200   200   404   404   404
draws:stop                in      code  404   404   404   404   404   200   200   404   404   404
draws:validate            in      code  404   404   404   404   404   200   200   404   404   404
draws:publish             in      code  404   404   404   404   404   200   200   404   404   404
draws:add-winner          in      code  404   404   404   404   404   200   200   404   404   404
draws:winner              in      code  200   200   404   404   404   200   200   404   404   404
draws:attempt             in      code  404   404   404   404   404   200   200   404   404   404
draws:person              in      code  200   200   404   404   404   200   200   404   404   404
claims:claims             in      code  200   200   404   404   404   200   200   404   404   404
claims:denied             in      code  200   200   404   404   404   200   200   404   404   404
claims:denied-csv         in      code  200   200   404   404   404   200   200   404   404   404
claims:add                in      code  404   404   404   404   404   200   200   404   404   404
claims:claim              in      code  200   200   404   404   404   200   200   404   404   404
claims:meet               in      code  404   404   404   404   404   200   200   404   404   404
claims:deny               in      code  404   404   404   404   404   200   200   404   404   404
claims:tell               in      code  404   404   404   404   404   200   200   404   404   404
claims:pay                in      code  404   404   404   404   404   200   200   404   404   404
claims:letter             in      code  404   404   404   404   404   200   200   404   404   404

conduct:casinos           in      code  there there there there there 403   there 403   403   403
corrections:withdraw      in      code  403   403   200   403   200   403   200   404   403   404
conduct:acts              in      code  200   200   200   200   200   404   200   404   404   404
conduct:act               in      code  200   200   200   200   200   404   200   404   404   404
conduct:table             in      code  404   404   200   200   200   404   404   404   404   404
conduct:record            in      code  404   404   200   200   200   404   404   404   404   404
equipment:casinos         in      code  there there there there there 403   there 403   403   403
equipment:board           in      code  200   200   200   200   200   404   200   404   404   404
equipment:faults          in      code  200   200   200   200   200   404   200   404   404   404
equipment:fault           in      code  200   200   200   200   200   404   200   404   404   404
equipment:dice            in      code  200   200   200   200   200   404   200   404   404   404
equipment:shakers         in      code  200   200   200   200   200   404   200   404   404   404
equipment:inspections     in      code  200   200   200   200   200   404   200   404   404   404
equipment:cards           in      code  200   200   200   200   200   404   200   404   404   404
equipment:chips           in      code  200   200   200   200   200   404   200   404   404   404
equipment:void-sets       in      code  200   200   200   200   200   404   200   404   404   404
equipment:new-void-set    in      code  404   404   404   404   200   404   404   404   404   404
equipment:void-set        in      code  200   200   200   200   200   404   200   404   404   404
equipment:returns         in      code  404   404   200   404   200   404   404   404   404   404
equipment:table           in      code  200   200   200   200   200   404   200   404   404   404
equipment:return          in      code  404   404   200   200   200   404   404   404   404   404
equipment:record          in      code  200   404   200   200   200   404   404   404   404   404

signs:casinos             in      code  there there there there there 403   there 403   403   403
signs:board               in      code  200   200   200   200   200   404   200   404   404   404
signs:table               in      code  200   200   200   200   200   404   200   404   404   404
signs:up                  in      code  404   404   405   405   405   404   404   404   404   404
signs:confirm             in      code  404   404   200   200   200   404   404   404   404   404
signs:down                in      code  404   404   200   200   200   404   404   404   404   404
signs:paper               in      code  200   200   200   200   200   404   200   404   404   404
signs:add-display         in      code  404   404   200   200   200   404   200   404   404   404
signs:end-display         in      code  404   404   200   200   200   404   200   404   404   404
signs:display             200     200   200   200   200   200   200   200   200   200   200   200
signs:live                200     200   200   200   200   200   200   200   200   200   200   200
notices:notices           in      code  200   200   200   200   200   404   200   404   404   404
notices:notice            in      code  200   200   200   200   200   404   200   404   404   404
notices:withdraw          in      code  404   404   200   200   200   404   404   404   404   404
notices:new               in      code  404   404   200   200   200   404   404   404   404   404
notices:player-limits     in      code  200   200   200   200   200   404   200   404   404   404
notices:allow-player      in      code  404   404   200   200   200   404   404   404   404   404
notices:end-player-limit  in      code  404   404   200   200   200   404   404   404   404   404
notices:warnings          in      code  200   200   200   200   200   404   200   404   404   404
notices:warn              in      code  404   404   200   200   200   404   404   404   404   404
closures:table            in      code  200   200   200   200   200   404   200   404   404   404
closures:announce         in      code  404   404   200   200   200   404   404   404   404   404
closures:emergency        in      code  404   404   200   200   200   404   404   404   404   404
closures:reopen           in      code  404   404   200   200   200   404   404   404   404   404
closures:close            in      code  404   404   405   405   405   404   404   404   404   404
closures:withdraw         in      code  404   404   200   200   200   404   404   404   404   404
alerts:casinos            in      code  there there there there there there there 403   403   403
alerts:inbox              in      code  200   200   200   200   200   200   200   404   404   404
alerts:ladders            in      code  200   200   200   200   200   200   200   404   404   404
alerts:set-ladder         in      code  404   200   404   404   404   404   200   404   404   404
alerts:block              in      code  200   200   200   200   200   200   200   404   404   404
alerts:alert              in      code  200   200   200   200   200   404   200   404   404   404
alerts:acknowledge        in      code  405   405   405   405   405   405   405   404   404   404
rulebook:calculator-casinos in      code  there there there there there 403   there 403   403   403
rulebook:calculator       in      code  200   200   200   200   200   404   200   404   404   404
rulebook:casinos          in      code  there there there there there there there there there there
rulebook:home             in      code  200   200   200   200   200   200   200   200   200   404
rulebook:propose          in      code  200   200   404   404   404   404   200   404   404   404
rulebook:propose-pack     in      code  200   200   404   404   404   404   200   404   404   404
rulebook:propose-edit     in      code  there there 404   404   404   404   there 404   404   404
rulebook:propose-edit-values in      code  there there 404   404   404   404   there 404   404   404
rulebook:propose-edit-begin in      code  200   200   404   404   404   404   200   404   404   404
rulebook:propose-edit-give-up in      code  there there 404   404   404   404   there 404   404   404
rulebook:propose-source   in      code  200   200   404   404   404   404   200   404   404   404
rulebook:propose-readings in      code  there there 404   404   404   404   there 404   404   404
rulebook:propose-check    in      code  there there 404   404   404   404   there 404   404   404
rulebook:propose-discard  in      code  200   200   404   404   404   404   200   404   404   404
rulebook:version          in      code  200   200   200   200   200   200   200   200   200   404
rulebook:diff             in      code  200   200   200   200   200   200   200   200   200   404
rulebook:truth            in      code  200   200   200   200   200   200   200   200   200   404
rulebook:truth-csv        in      code  200   200   200   200   200   200   200   200   200   404
rulebook:document         in      code  200   200   200   200   200   200   200   200   200   404
rulebook:approve          in      code  200   200   404   404   404   404   404   404   404   404
rulebook:withdraw         in      code  200   200   404   404   404   404   200   404   404   404
rulebook:ruling           in      code  200   404   404   404   404   404   404   404   404   404
rulebook:rules-now        there   there there there there there there there there there there there
rulebook:rules            200     200   200   200   200   200   200   200   200   200   200   200
rulebook:rules-document   200     200   200   200   200   200   200   200   200   200   200   200
evidence:ledgers          in      code  there there there there there 403   there 403   403   403
evidence:ledger           in      code  200   200   200   200   200   404   200   404   404   404
evidence:growth           in      code  200   200   200   200   200   404   200   404   404   404
evidence:verification     in      code  200   200   200   200   200   404   200   404   404   404
evidence:verify           in      code  405   405   404   404   404   404   405   404   404   404
evidence:completeness     in      code  200   200   200   200   200   404   200   404   404   404
evidence:bundles          in      code  200   200   404   404   404   404   200   404   404   404
evidence:new-bundle       in      code  200   200   404   404   404   404   200   404   404   404
evidence:bundle           in      code  200   200   404   404   404   404   200   404   404   404
evidence:bundle-progress  in      code  200   200   404   404   404   404   200   404   404   404
evidence:cancel-bundle    in      code  405   405   404   404   404   404   405   404   404   404
evidence:retry-bundle     in      code  405   405   404   404   404   404   405   404   404   404
evidence:bundle-file      in      code  409   409   404   404   404   404   409   404   404   404
evidence:entry            in      code  200   200   200   200   200   404   200   404   404   404
evidence:check            in      code  200   200   200   200   200   404   200   404   404   404
evidence:proof            in      code  404   404   404   404   404   404   404   404   404   404
evidence:leaf             in      code  200   200   200   200   200   404   200   404   404   404
evidence:verifier         200     200   200   200   200   200   200   200   200   200   200   200
evidence:logs             200     200   200   200   200   200   200   200   200   200   200   200
evidence:checkpoint       404     404   404   404   404   404   404   404   404   404   404   404
evidence:key              200     200   200   200   200   200   200   200   200   200   200   200
evidence:inclusion        404     404   404   404   404   404   404   404   404   404   404   404
evidence:consistency      404     404   404   404   404   404   404   404   404   404   404   404
restores:logs             in      code  200   200   403   403   403   403   200   200   200   200
restores:log              in      code  200   200   403   403   403   403   200   200   200   404
restores:hand-in          in      code  200   200   403   403   403   403   200   200   200   404
restores:begin            in      code  there there 403   403   403   403   there there there 404
witnesses:casinos         in      code  there there there there there 403   there 403   403   403
witnesses:witnesses       in      code  200   200   200   200   200   404   200   404   404   404
witnesses:register        in      code  200   200   404   404   404   404   404   404   404   404
witnesses:end             in      code  200   200   404   404   404   404   404   404   404   404
witnesses:statement       in      code  200   200   200   200   200   404   200   404   404   404
witnesses:cosignatures    405     405   405   405   405   405   405   405   405   405   405   405
witnesses:disagreements   405     405   405   405   405   405   405   405   405   405   405   405
floor:casinos             in      code  there there there there there 403   there there 403   there
floor:tables              in      code  200   200   200   200   200   404   200   404   404   404
floor:table               in      code  200   200   200   200   200   404   200   404   404   404
floor:history             in      code  200   200   200   200   200   404   200   404   404   404
floor:terminals           in      code  200   200   200   200   200   404   200   404   404   404
floor:casino              in      code  200   200   200   200   200   404   200   404   404   404
floor:casino-history      in      code  200   200   200   200   200   404   200   404   404   404
floor:add-table           in      code  404   404   200   404   404   404   200   404   404   404
floor:retire-table        in      code  404   404   200   404   404   404   200   404   404   404
floor:set-fact            in      code  404   404   200   404   404   404   200   404   404   404
floor:set-terminal-fact   in      code  404   404   200   404   404   404   200   404   404   404
floor:set-casino-fact     in      code  404   404   200   404   404   404   200   404   404   404
floor:take-back           in      code  404   404   200   404   404   404   200   404   404   404
floor:add-terminal        in      code  404   404   200   404   404   404   200   404   404   404
floor:retire-terminal     in      code  404   404   200   404   404   404   200   404   404   404
floor:controllers         in      code  200   200   200   200   200   404   200   200   404   404
floor:controller          in      code  200   200   200   200   200   404   200   200   404   404
floor:register-controller in      code  404   404   404   404   404   404   200   200   404   404
floor:give-table          in      code  404   404   404   404   404   404   200   200   404   404
floor:end-table           in      code  404   404   404   404   404   404   200   200   404   404
floor:propose-key         in      code  404   404   404   404   404   404   200   200   404   404
floor:approve-key         in      code  404   404   404   404   404   404   200   200   404   404
floor:revoke-key          in      code  404   404   404   404   404   404   200   200   404   404
intake:entries            405     405   405   405   405   405   405   405   405   405   405   405
intake:openapi            200     200   200   200   200   200   200   200   200   200   200   200
intake:reader             200     200   200   200   200   200   200   200   200   200   200   200
intake:feeds              in      code  200   200   200   200   200   404   200   404   404   404
intake:quarantine         in      code  200   200   200   200   200   404   200   404   404   404
intake:quarantined        in      code  200   200   200   200   200   404   200   404   404   404
intake:quarantined-bytes  in      code  200   200   200   200   200   404   200   404   404   404
intake:deal-with          in      code  200   200   200   200   200   404   200   404   404   404
intake:paper-rounds       in      code  200   200   200   200   200   404   200   404   404   404
intake:paper-enter        in      code  404   404   200   200   200   404   404   404   404   404
intake:paper-round        in      code  200   200   200   200   200   404   200   404   404   404
intake:paper-confirm      in      code  404   404   200   200   200   404   404   404   404   404
intake:paper-refuse       in      code  404   404   200   200   200   404   404   404   404   404

audit:casinos             in      code  there there there there there 403   there 403   403   403
audit:findings            in      code  200   200   200   200   200   404   200   404   404   404
audit:coverage            in      code  200   200   200   200   200   404   200   404   404   404
audit:readings            in      code  200   200   200   200   200   200   200   200   200   404
audit:checks              in      code  200   200   200   200   200   404   200   404   404   404
audit:clause              in      code  200   200   200   200   200   200   200   200   200   404
audit:finding             in      code  200   200   200   200   200   404   200   404   404   404
audit:prediction          in      code  404   404   404   404   404   404   404   404   404   404
fairness:casinos          in      code  there there there there there 403   there 403   403   403
fairness:standing         in      code  200   200   200   200   200   404   200   404   404   404
fairness:signals          in      code  200   200   200   200   200   404   200   404   404   404
fairness:signal           in      code  200   200   200   200   200   404   200   404   404   404
fairness:chart            in      code  200   200   200   200   200   404   200   404   404   404
fairness:see              in      code  200   200   200   200   404   404   404   404   404   404
fairness:table            in      code  200   200   200   200   200   404   200   404   404   404
fairness:table-chart      in      code  404   404   404   404   404   404   404   404   404   404

trials:casinos            in      code  there there 403   403   403   403   403   403   403   403
trials:trials             in      code  200   200   404   404   404   404   404   404   404   404
trials:new                in      code  404   200   404   404   404   404   404   404   404   404
trials:readings           in      code  404   200   404   404   404   404   404   404   404   404
trials:trial              in      code  200   200   404   404   404   404   404   404   404   404
trials:progress           in      code  200   200   404   404   404   404   404   404   404   404
trials:differences        in      code  200   200   404   404   404   404   404   404   404   404
trials:stop               in      code  404   405   404   404   404   404   404   404   404   404
trials:retry              in      code  404   405   404   404   404   404   404   404   404   404
trials:again              in      code  404   405   404   404   404   404   404   404   404   404

disputes:casinos          in      code  there there there there there there there 403   403   403
disputes:disputes         in      code  200   200   200   200   200   200   200   404   404   404
disputes:new              in      code  404   404   200   200   200   404   200   404   404   404
disputes:new-matter       in      code  404   404   200   200   200   404   200   404   404   404
disputes:new-round        in      code  404   404   200   200   200   404   200   404   404   404
disputes:new-promotion    in      code  404   404   200   200   200   200   200   404   404   404
disputes:new-dispute      in      code  404   404   200   200   200   404   200   404   404   404
disputes:draft            in      code  404   404   405   405   405   405   405   404   404   404
disputes:discard          in      code  404   404   200   200   200   404   200   404   404   404
disputes:about            in      code  200   200   200   200   200   200   200   404   404   404
disputes:repeats          in      code  200   200   200   200   200   404   200   404   404   404
disputes:repeats-chart    in      code  200   200   200   200   200   404   200   404   404   404
disputes:levels           in      code  200   200   200   200   200   404   200   404   404   404
disputes:procedure        in      code  404   404   404   404   404   404   200   404   404   404
disputes:set-level        in      code  404   404   404   404   404   404   200   404   404   404
disputes:dispute          in      code  200   200   200   200   200   404   200   404   404   404
disputes:decide           in      code  200   200   200   200   200   404   200   404   404   404
disputes:record-decision  in      code  404   404   200   200   200   404   200   404   404   404
disputes:tell             in      code  200   200   200   200   200   404   200   404   404   404
disputes:review           in      code  200   200   200   200   200   404   200   404   404   404
disputes:pay              in      code  404   404   200   200   200   404   200   404   404   404
disputes:advise           in      code  200   200   200   200   200   404   200   404   404   404
disputes:advice           in      code  200   200   200   200   200   404   200   404   404   404
disputes:advice-qr        in      code  200   200   200   200   200   404   200   404   404   404
disputes:withdraw         in      code  404   404   200   200   200   404   200   404   404   404
disputes:close            in      code  200   200   200   200   200   404   200   404   404   404
disputes:end-unadvised    in      code  404   404   200   200   200   404   200   404   404   404
disputes:complain         in      code  200   200   200   200   200   404   200   404   404   404
disputes:attach           in      code  200   200   200   200   200   404   200   404   404   404
disputes:attachment       in      code  200   200   200   200   200   404   200   404   404   404
disputes:patron           in      code  200   200   200   200   200   404   200   404   404   404
disputes:file             in      code  200   200   200   200   200   404   200   404   404   404
disputes:note             in      code  200   200   404   404   404   404   404   404   404   404
disputes:ask              in      code  200   200   404   404   404   404   404   404   404   404
disputes:answer           in      code  404   404   200   200   200   404   200   404   404   404
disputes:determine        in      code  200   200   404   404   404   404   404   404   404   404
disputes:letter           in      code  200   200   404   404   404   404   404   404   404   404
disputes:letter-pdf       in      code  409   409   404   404   404   404   404   404   404   404
checklists:casinos        in      code  there there 403   403   403   403   403   403   403   403
checklists:checklists     in      code  200   200   404   404   404   404   404   404   404   404
checklists:new            in      code  200   200   404   404   404   404   404   404   404   404
checklists:checklist      in      code  200   200   404   404   404   404   404   404   404   404
checklists:sign-off       in      code  200   200   404   404   404   404   404   404   404   404
checklists:supersede      in      code  200   200   404   404   404   404   404   404   404   404
checklists:unchecked-clauses in      code  200   200   404   404   404   404   404   404   404   404
checklists:clause         in      code  200   200   404   404   404   404   404   404   404   404
checklists:clause-again   in      code  200   200   404   404   404   404   404   404   404   404
checklists:new-sample     in      code  200   200   404   404   404   404   404   404   404   404
checklists:new-weighted-sample in      code  200   200   404   404   404   404   404   404   404   404
checklists:sample         in      code  200   200   404   404   404   404   404   404   404   404
checklists:draw           in      code  405   405   404   404   404   404   404   404   404   404
checklists:draw-progress  in      code  200   200   404   404   404   404   404   404   404   404
checklists:draw-cancel    in      code  405   405   404   404   404   404   404   404   404   404
checklists:draw-again     in      code  200   200   404   404   404   404   404   404   404   404
checklists:again-progress in      code  200   200   404   404   404   404   404   404   404   404
checklists:again-cancel   in      code  405   405   404   404   404   404   404   404   404   404
checklists:walk           in      code  404   404   404   404   404   404   404   404   404   404

saved:casinos             in      code  there there there there there there there there there there
saved:stop                200     200   200   200   200   200   200   200   200   200   200   200
saved:views               in      code  200   200   200   200   200   200   200   200   200   404
saved:keep                in      code  404   404   404   404   404   404   404   404   404   404
saved:view                in      code  200   404   404   404   404   404   404   404   404   404
saved:open                in      code  there 404   404   404   404   404   404   404   404   404
saved:change              in      code  200   404   404   404   404   404   404   404   404   404
saved:remove              in      code  200   404   404   404   404   404   404   404   404   404
saved:tell                in      code  200   404   404   404   404   404   404   404   404   404
saved:stop-telling        in      code  405   405   405   405   405   405   405   405   405   404

reviews:casinos           in      code  there there 403   403   403   403   403   403   403   403
reviews:asked-casinos     in      code  403   403   403   403   403   403   there 403   403   403
reviews:queue             in      code  200   200   404   404   404   404   404   404   404   404
reviews:next              in      code  405   405   404   404   404   404   404   404   404   404
reviews:groups            in      code  200   200   404   404   404   404   404   404   404   404
reviews:decide-together   in      code  404   404   404   404   404   404   404   404   404   404
reviews:arrangements      in      code  404   200   404   404   404   404   404   404   404   404
reviews:finding           in      code  200   200   404   404   404   404   404   404   404   404
reviews:timeline          in      code  404   404   404   404   404   404   404   404   404   404
reviews:take              in      code  405   405   404   404   404   404   404   404   404   404
reviews:put-back          in      code  405   405   404   404   404   404   404   404   404   404
reviews:reperform         in      code  404   404   404   404   404   404   404   404   404   404
reviews:second            in      code  404   404   404   404   404   404   404   404   404   404
reviews:decide            in      code  200   200   404   404   404   404   404   404   404   404
reviews:asked             in      code  404   404   404   404   404   404   200   404   404   404
reviews:answer            in      code  404   404   404   404   404   404   404   404   404   404
reviews:standing          in      code  200   200   200   200   200   404   200   404   404   404
reviews:comment           in      code  404   404   200   200   200   404   200   404   404   404

disclosures:casinos       in      code  there there 403   403   403   403   there 403   403   403
disclosures:seen          in      code  200   200   404   404   404   404   200   404   404   404

inspectorate:casinos      in      code  there there 403   403   403   403   there 403   403   403
inspectorate:tokens       in      code  200   200   404   404   404   404   200   404   404   404
inspectorate:new-token    in      code  200   200   404   404   404   404   404   404   404   404
inspectorate:revoke       in      code  200   200   404   404   404   404   404   404   404   404
inspectorate:api-findings 401     401   401   401   401   401   401   401   401   401   401   401
inspectorate:api-finding  401     401   401   401   401   401   401   401   401   401   401   401
inspectorate:api-finding-cases 401     401   401   401   401   401   401   401   401   401   401   401
inspectorate:api-rounds   401     401   401   401   401   401   401   401   401   401   401   401
inspectorate:api-round    401     401   401   401   401   401   401   401   401   401   401   401
inspectorate:api-coverage 401     401   401   401   401   401   401   401   401   401   401   401
inspectorate:api-reports  401     401   401   401   401   401   401   401   401   401   401   401
inspectorate:api-report-file 401     401   401   401   401   401   401   401   401   401   401   401
inspectorate:api-entries  401     401   401   401   401   401   401   401   401   401   401   401
inspectorate:api-pack     401     401   401   401   401   401   401   401   401   401   401   401

webhooks:casinos          in      code  there there 403   403   403   403   there there 403   there
webhooks:endpoints        in      code  200   200   404   404   404   404   200   200   404   404
webhooks:new              in      code  404   404   404   404   404   404   200   200   404   404
webhooks:endpoint         in      code  200   200   404   404   404   404   200   200   404   404
webhooks:change           in      code  404   404   404   404   404   404   200   200   404   404
webhooks:off              in      code  404   404   404   404   404   404   200   200   404   404
webhooks:on               in      code  404   404   404   404   404   404   200   200   404   404
webhooks:remove           in      code  404   404   404   404   404   404   200   200   404   404
webhooks:test             in      code  404   404   404   404   404   404   405   405   404   404
webhooks:delivery         in      code  200   200   404   404   404   404   200   200   404   404
webhooks:again            in      code  404   404   404   404   404   404   405   405   404   404

proofs:casinos            in      code  there there there there there 403   there 403   403   403
proofs:proofs             in      code  200   200   200   200   200   404   200   404   404   404
proofs:make               in      code  200   200   200   200   200   404   200   404   404   404
proofs:proof              in      code  200   200   200   200   200   404   200   404   404   404
proofs:sheet              in      code  200   200   200   200   200   404   200   404   404   404
proofs:file               in      code  200   200   200   200   200   404   200   404   404   404
proofs:withdraw           in      code  200   200   200   200   200   404   200   404   404   404
proofs:check              200     200   200   200   200   200   200   200   200   200   200   200
proofs:checked-file       405     405   405   405   405   405   405   405   405   405   405   405
proofs:verifier           200     200   200   200   200   200   200   200   200   200   200   200

reports:casinos           in      code  there there there there there there there 403   403   403
reports:reports           in      code  200   200   200   200   200   200   200   404   404   404
reports:new               in      code  200   200   404   404   404   404   200   404   404   404
reports:report            in      code  200   200   404   404   404   404   200   404   404   404
reports:progress          in      code  200   200   404   404   404   404   200   404   404   404
reports:cancel            in      code  405   405   405   405   405   405   405   404   404   404
reports:retry             in      code  405   405   405   405   405   405   405   404   404   404
reports:file              in      code  409   409   404   404   404   404   409   404   404   404
reports:figure            in      code  409   409   404   404   404   404   409   404   404   404
reports:dashboards        in      code  there there 403   403   403   403   there 403   403   403
reports:dashboard         in      code  200   200   404   404   404   404   200   404   404   404
reports:dashboard-chart   in      code  404   404   404   404   404   404   404   404   404   404
reports:schedules         in      code  200   200   404   404   404   404   200   404   404   404
reports:add-schedule      in      code  200   200   404   404   404   404   200   404   404   404
reports:schedule          in      code  200   200   404   404   404   404   200   404   404   404
reports:move-schedule     in      code  200   200   404   404   404   404   200   404   404   404
reports:verifier          200     200   200   200   200   200   200   200   200   200   200   200
reports:certificates      200     200   200   200   200   200   200   200   200   200   200   200
reports:certificate       200     200   200   200   200   200   200   200   200   200   200   200
"""

COLUMNS, *LINES = [line.split() for line in MATRIX.strip().splitlines() if line.strip()]
ROWS = {name: dict(zip(COLUMNS, answers, strict=True)) for name, *answers in LINES}
ROLES = dict(zip(COLUMNS[2:-1], Role, strict=True))


@pytest.fixture
def places(settings: Settings, db: None, tmp_path_factory: pytest.TempPathFactory) -> Places:
    folder = tmp_path_factory.getbasetemp() / "one-of-everything"
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.LEDGER_KEY_FILE = folder / "ledger.key"
    settings.MEDIA_ROOT = folder / "uploads"
    create_key_file(settings.LEDGER_KEY_FILE)
    return one_of_everything()


@snapshotted
def one_of_everything() -> Places:
    """Harbour with a person in each role and one of everything."""
    harbour, ada = found_casino("harbour", "Harbour Casino", "Australia/Sydney", "admin")
    _, otto = found_casino("marina", "Marina Casino", "Asia/Singapore", "outs")
    people = [ada, otto] + [
        hire(name, harbour, role, by=ada) for name, role in ROLES.items() if role != Role.ADMINISTRATOR
    ]
    for person in people:
        give_phone(person)
    return url_arguments_at(harbour)


def browser_for(column: str) -> Client:
    if column == "anonym":
        return Client()
    if column == "half":
        half_way = Client()
        half_way.post("/sign-in/", {"email": "insp@example.com", "password": PASSWORD})
        return half_way
    return browser_of(person_named(column))


def answer(browser: Client, url: str) -> str:
    response = browser.get(url)
    if response.status_code != 302:
        return str(response.status_code)
    place = response.headers["Location"].partition("?")[0]
    return {"/sign-in/": "in", "/sign-in/code/": "code", "/": "home"}.get(place, "there")


def answers_to(column: str, places: Places, names: Iterable[str] = ROWS) -> dict[str, str]:
    browser = browser_for(column)
    # A separate address, because attempts without a token are rate-limited by address.
    browser.defaults["REMOTE_ADDR"] = f"192.0.2.{COLUMNS.index(column)}"
    return {name: answer(browser, reverse(name, kwargs=places.get(name))) for name in names}


@pytest.mark.usefixtures("blank_pages")
@pytest.mark.parametrize("column", COLUMNS)
def test_each_address_opens_to_whom_the_table_says(column: str, places: Places) -> None:
    count_in_tally("roles × addresses", len(ROWS))
    assert answers_to(column, places) == {name: row[column] for name, row in ROWS.items()}


@pytest.mark.usefixtures("blank_pages")
@pytest.mark.parametrize(
    ("opened", "name", "column", "found"),
    [
        (AccessRule("public"), "web:status", "anonym", "200"),
        (AccessRule("passing"), "web:status", "half", "200"),
        (AccessRule("signed-in"), "accounts:casinos", "mark", "200"),
        (AccessRule("roles", frozenset(Role)), "accounts:people-chart", "insp", "200"),
    ],
)
def test_a_rule_that_opens_too_far_is_seen(
    opened: AccessRule, name: str, column: str, found: str, places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    [view] = [address.view for address in all_url_routes() if address.name == name]
    monkeypatch.setattr(view, "access_rule", opened)
    assert answers_to(column, places, [name]) == {name: found}
    assert ROWS[name][column] != found


def names_without_a_row(addresses: list[UrlRoute]) -> set[str]:
    return {address.name for address in addresses} - set(ROWS)


def test_every_address_has_a_row_and_every_row_an_address() -> None:
    addresses = all_url_routes()
    assert names_without_a_row(addresses) == set()
    assert set(ROWS) == {address.name for address in addresses}
    newcomer = UrlRoute("casinos/<slug:casino>/vault/", "accounts:vault", browser_for)
    assert names_without_a_row([*addresses, newcomer]) == {"accounts:vault"}


def test_every_address_has_a_name_of_its_own_and_a_rule() -> None:
    addresses = all_url_routes()
    assert len({address.name for address in addresses}) == len(addresses)
    assert [address.route for address in addresses if access_rule_of(address.view) is None] == []


def test_a_column_for_every_role() -> None:
    assert len(COLUMNS) == 12
    assert list(ROLES.values()) == list(Role)
