// A scanned sheet leads here with its code after the hash, which no browser sends to a server. It is put into the form,
// taken out of the address, and sent.
(() => {
  "use strict";

  const field = document.querySelector("input[name=code]");
  const code = decodeURIComponent(window.location.hash.slice(1));
  if (!field || !code || code.length > 60) return;
  history.replaceState(null, "", window.location.pathname);
  field.value = code;
  field.form.submit();
})();
