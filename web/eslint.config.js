import js from "@eslint/js";
import importX, { createNodeResolver } from "eslint-plugin-import-x";
import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

const SOURCE = path.join(import.meta.dirname, "src");
const features = existsSync(path.join(SOURCE, "features")) ? readdirSync(path.join(SOURCE, "features")) : [];

/** Imports go down: app > features > components > lib. A feature never imports another one. */
const zones = [
  { target: "./src/lib", from: ["./src/app", "./src/features", "./src/components"] },
  { target: "./src/components", from: ["./src/app", "./src/features"] },
  { target: "./src/features", from: "./src/app" },
  ...features.map((name) => ({
    target: `./src/features/${name}`,
    from: "./src/features",
    except: [`./${name}`],
    message: "Features do not import one another; move what is shared to components or lib.",
  })),
  { target: "./src/features/versioned/*.{ts,tsx}", from: ["./src/features/versioned/prompts", "./src/features/versioned/schemas"] },
  { target: "./src/features/versioned/accuracy", from: ["./src/features/versioned/prompts", "./src/features/versioned/schemas"] },
  { target: "./src/features/versioned/prompts", from: "./src/features/versioned/schemas" },
  { target: "./src/features/versioned/schemas", from: "./src/features/versioned/prompts" },
];

export default tseslint.config(
  { ignores: ["node_modules", "src/lib/api/schema.d.ts", "public"] },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  jsxA11y.flatConfigs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    plugins: { "react-hooks": reactHooks, "import-x": importX },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    settings: {
      "import-x/resolver-next": [
        createNodeResolver({
          extensions: [".ts", ".tsx", ".d.ts", ".js", ".mjs", ".json"],
          tsconfig: { configFile: path.join(import.meta.dirname, "tsconfig.json") },
        }),
      ],
      "import-x/parsers": { "@typescript-eslint/parser": [".ts", ".tsx"] },
    },
    rules: {
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
      "import-x/no-cycle": ["error", { ignoreExternal: true }],
      "import-x/no-restricted-paths": ["error", { basePath: import.meta.dirname, zones }],
      "import-x/no-duplicates": "error",
      "import-x/order": ["error", { "newlines-between": "always", alphabetize: { order: "asc" },
        groups: ["builtin", "external", "internal", "parent", "sibling", "type"],
        pathGroups: [{ pattern: "@/**", group: "internal" }] }],
      "no-restricted-properties": ["error",
        { object: "document", property: "cookie", message: "The session cookie is not readable, on purpose." }],
      "no-restricted-syntax": ["error", {
        selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
        message: "Use the Markdown component, which sanitises.",
      }],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
      "max-lines": ["error", { max: 350, skipBlankLines: true, skipComments: true }],
      "jsx-a11y/no-autofocus": "off",
    },
  },
  { files: ["**/*.js"], ...tseslint.configs.disableTypeChecked },
);
