"""The OpenAPI document and its Swagger UI page (from the sidecar, without inline script or style)."""

from csp.decorators import csp_update
from drf_spectacular.views import SpectacularSwaggerSplitView, SpectacularYAMLAPIView
from rest_framework.permissions import AllowAny

from compliance.core.web.access import public
from compliance.core.web.http.api_view import AnyContentNegotiation

openapi_schema = public(
    SpectacularYAMLAPIView.as_view(permission_classes=(AllowAny,), content_negotiation_class=AnyContentNegotiation)
)
# Swagger UI's stylesheet embeds its images as data: URLs.
swagger_page = public(
    csp_update({"img-src": ["data:"]})(
        SpectacularSwaggerSplitView.as_view(
            permission_classes=(AllowAny,),
            content_negotiation_class=AnyContentNegotiation,
            url_name="intake:openapi",
            title="Controllers' API",
            template_name="intake/reader.html",
        )
    )
)
