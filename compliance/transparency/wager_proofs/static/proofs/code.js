// The QR code of a sheet has the code in the URL's fragment, which browsers do not send to the server. This script moves
// it from the address into the form and submits it.
(() => {
  "use strict";

  const field = document.querySelector("input[name=code]");
  const code = decodeURIComponent(window.location.hash.slice(1));
  if (!field || !code || code.length > 60) return;
  history.replaceState(null, "", window.location.pathname);
  field.value = code;
  field.form.submit();
})();
