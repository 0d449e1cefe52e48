import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { App } from "@/app/App";
import { start } from "@/lib/api/session";
import { startLanguage } from "@/lib/i18n";
import { cspNonce } from "@/lib/nonce";
import { part } from "@/lib/parts";

import "./styles/index.css";

setNonce(cspNonce());

/** The server says in the page whether the browser showed a session's cookie; scripts cannot read it. */
const hasCookie = document.querySelector<HTMLMetaElement>('meta[name="docagent-session"]')?.content !== "none";
start(hasCookie).catch(() => start(false));

const root = document.getElementById("root");
if (root) {
  const client = createRoot(root);
  void part(startLanguage)().then(() =>
    client.render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
}
