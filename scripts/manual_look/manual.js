// A link beside each heading, and the search. Its index is a script, so that it also works from a folder.
for (const heading of document.querySelectorAll("article :is(h1, h2, h3, h4)[id]")) {
  const link = document.createElement("a");
  link.className = "anchor";
  link.href = `#${heading.id}`;
  link.textContent = "#";
  link.setAttribute("aria-hidden", "true");
  link.tabIndex = -1;
  heading.append(link);
}

const asked = new URLSearchParams(location.search).get("q") ?? "";
if (asked) document.querySelector("input[name=q]").value = asked;
if (typeof SEARCH !== "undefined") {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  const times = (text, word) => text.toLowerCase().split(word).length - 1;
  const found = SEARCH.map(([address, title, text]) => {
    const counts = words.map((word) => 20 * times(title, word) + Math.min(times(text, word), 10));
    return { address, title, text, score: counts.includes(0) ? 0 : counts.reduce((sum, count) => sum + count, 0) };
  })
    .filter((entry) => entry.score > 0)
    .sort((one, other) => other.score - one.score);
  document.getElementById("search-status").textContent = words.length
    ? `${found.length} ${found.length === 1 ? "section" : "sections"} for “${asked}”`
    : "Enter what to look for.";
  for (const { address, title, text } of found.slice(0, 50)) {
    const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 60);
    const [item, link, excerpt] = ["li", "a", "p"].map((name) => document.createElement(name));
    link.href = address;
    link.textContent = title;
    excerpt.textContent = `${at > 0 ? "…" : ""}${text.slice(at, at + 200)}…`;
    item.append(link, excerpt);
    document.getElementById("search-results").append(item);
  }
}
