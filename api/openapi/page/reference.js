// Shows /api/openapi.json with Swagger UI: permissions and examples at each endpoint, and a search over everything.
// It stores nothing: what is entered at "Authorize" is gone when the page is left.
"use strict";

const dark = matchMedia("(prefers-color-scheme: dark)");
const setTheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", setTheme);
setTheme();

const texts = new Map(); // what the search looks through, by operation

// addReferences appends the JSON of the schemas that the JSON refers to.
function addReferences(schemas, json, seen) {
  for (const [, name] of json.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (!seen.has(name)) {
      seen.set(name, JSON.stringify(schemas[name]));
      addReferences(schemas, seen.get(name), seen);
    }
  }
}

function prepare(description) {
  for (const [path, methods] of Object.entries(description.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const who = operation["x-who"], example = operation["x-example"];
      const bodies = JSON.stringify([operation.requestBody, operation.parameters]);
      const seen = new Map();
      addReferences(description.components.schemas, bodies, seen);
      texts.set(operation.operationId, [method, path, operation.summary, operation.operationId, who, bodies, ...seen.values()]
        .join(" ").toLowerCase());
      operation.description = `For ${who}.` + (example ? "\n\nAn exchange with a server:\n\n```\n" + example + "\n```" : "");
      delete operation["x-who"];
      delete operation["x-example"];
    }
  }
  return description;
}

// The search finds operations that have all words anywhere; Swagger's own looks at the headings only.
const search = () => ({
  fn: {
    opsFilter: (tags, phrase) => {
      const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
      const matches = operation => {
        const text = texts.get(operation.getIn(["operation", "operationId"])) ?? "";
        return words.every(word => text.includes(word));
      };
      return tags.map(tag => tag.update("operations", all => all.filter(matches)))
        .filter(tag => tag.get("operations").size > 0);
    },
  },
});

// nameSearch says what can be searched for, whenever Swagger UI has drawn the field.
function nameSearch() {
  const input = document.querySelector(".operation-filter-input");
  if (!input || input.placeholder.startsWith("Search")) return;
  input.placeholder = "Search: path, word, field or role";
  input.setAttribute("aria-label", "Search endpoints");
}

async function start() {
  const response = await fetch("/api/openapi.json");
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  new MutationObserver(nameSearch).observe(document.body, { childList: true, subtree: true });
  SwaggerUIBundle({
    spec: prepare(await response.json()),
    dom_id: "#reference",
    validatorUrl: null,
    deepLinking: true,
    filter: true,
    docExpansion: "list",
    defaultModelsExpandDepth: -1,
    defaultModelExpandDepth: 3,
    displayRequestDuration: true,
    persistAuthorization: false,
    plugins: [search],
  });
}

start().catch(error => {
  document.querySelector("#reference p").textContent = `The description cannot be loaded: ${error.message}.`;
});
