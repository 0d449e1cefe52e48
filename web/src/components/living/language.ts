import { defineLanguageFacet, Language, languageDataProp } from "@codemirror/language";
import { GFM, parser } from "@lezer/markdown";

const data = defineLanguageFacet();

/** Markdown as documents have it. HTML is text, as it is where documents are read. */
export const parsed = parser.configure([GFM, { props: [languageDataProp.add((type) => (type.isTop ? data : undefined))] }]);

export const markdown = new Language(data, parsed, [], "markdown");
