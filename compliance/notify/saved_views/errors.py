"""Refusals about saved views. Forms show the detail and keep the input."""

from compliance.core.web.errors import Refusal


class ViewRefusal(Refusal):
    code = "view-refused"
    status = 409
    title = "The view was not kept"


class TooManyViews(ViewRefusal):
    code = "too-many-views"
    remedy = "Remove one that you no longer need."


class NameTaken(ViewRefusal):
    code = "view-name-taken"
    detail = "You have kept another view of this list under that name."
    remedy = "Choose another name."


class NotAColleague(ViewRefusal):
    code = "not-a-colleague"
    detail = "A view can be shared only with people who do the same work as you at this casino."
    remedy = "Choose one of those offered."


class ViewNotSubscribable(ViewRefusal):
    code = "view-cannot-be-told"
    title = "Nobody can be told of this view"
    detail = "What is new cannot be worked out for this list."
    remedy = "Open the view to see what it has."


class TooManySubscriptions(ViewRefusal):
    code = "too-many-subscriptions"
    title = "You are told of too many views"
    remedy = "Stop one that you no longer need."


class ListGone(Refusal):
    code = "list-gone"
    status = 404
    title = "This view leads nowhere any more"
    detail = "The list it was kept from is not there any more, or you may no longer open it."
    remedy = "Remove the view, or ask who shared it with you."
