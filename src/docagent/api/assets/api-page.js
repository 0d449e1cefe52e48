"use strict";
// Shows the API and, when the browser has a session, signs every request on this page with it.
const status = document.getElementById("session");
const ui = SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#api",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
  validatorUrl: null,
  onComplete: signIn,
});

async function signIn() {
  const answer = await fetch("/v0/account/auth/refresh", { method: "POST" });
  if (!answer.ok) {
    status.textContent =
      "You are not signed in. Open the login link that the server printed, or paste an API token under Authorize.";
    return;
  }
  const session = await answer.json();
  ui.preauthorizeApiKey("HTTPBearer", session.token);
  // Without the user's id, the server's administrator would be told the organizations of everybody.
  const own = await (
    await fetch(`/v0/account/organizations?limit=100&user_id=${session.user.id}`, {
      headers: { Authorization: `Bearer ${session.token}` },
    })
  ).json();
  const last = localStorage.getItem("docagent.organization");
  const shown = own.organizations.find(({ id }) => JSON.stringify(id) === last) ?? own.organizations[0];
  status.textContent = `Signed in as ${session.user.email}.` + (shown ? ` Organization ${shown.name}: ${shown.id}` : "");
  setTimeout(signIn, Math.max(30, session.expires_in - 60) * 1000);
}
