// Runs before the first paint, so that a dark page never flashes white. A file of its own: no inline scripts.
(function () {
  var chosen = null;
  var density = null;
  try {
    chosen = localStorage.getItem("docagent.theme");
    density = localStorage.getItem("docagent.density");
  } catch {
    // Storage may be switched off; the system's choice holds then.
  }
  var dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  document.documentElement.dataset.density = density === '"compact"' ? "compact" : "comfortable";
})();
