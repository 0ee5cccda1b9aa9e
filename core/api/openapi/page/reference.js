// Shows /api/openapi.json: a list of all endpoints that is there at once, and a search over everything. An endpoint that is
// opened is shown by Swagger UI, which is loaded then. Nothing is stored: tokens are gone when the page is left.
"use strict";

const swagger = document.currentScript.dataset.swagger;
const byID = id => document.getElementById(id);
const dark = matchMedia("(prefers-color-scheme: dark)");
const setTheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", setTheme);
setTheme();

// Words that mean the same to a reader. A word is found where any of its group stands.
const synonyms = [
  ["receipt", "transaction", "sale", "document"], ["reward", "campaign", "offer"], ["coupon", "voucher", "code"],
  ["customer", "member", "client"], ["seller", "cashier", "clerk"], ["till", "pos", "checkout"], ["shop", "store", "pos"],
  ["level", "tier"], ["points", "transfer", "balance"], ["login", "log-in", "sign-in", "login_check"],
  ["webhook", "web hook", "callback"], ["verify", "verification", "signature", "hmac", "signed"],
  ["anonymise", "anonymize", "gdpr", "privacy", "erase"], ["referral", "invitation", "invite"], ["redeem", "buy", "purchase"],
  ["mail", "e-mail", "email", "message"], ["report", "analytics", "statistics"],
];

const meanings = word => synonyms.filter(group => group.includes(word) || group.includes(word.replace(/s$/, ""))).flat().concat(word);

// element makes an element with a class and children.
function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

const componentOf = /"#\/components\/(\w+)\/([^"]+)"/g;

// reach adds the names of the components that some JSON refers to, directly or not.
function reach(components, json, names) {
  for (const [, kind, name] of json.matchAll(componentOf)) {
    const full = `${kind}/${name}`;
    if (!names.has(full)) {
      names.add(full);
      reach(components, JSON.stringify(components[kind][name]), names);
    }
  }
  return names;
}

// only returns the description of one operation, with the components that it needs.
function only({ description, path, method, operation }) {
  const shown = { ...operation, tags: ["operation"] };
  const who = operation["x-who"], example = operation["x-example"];
  delete shown["x-who"];
  delete shown["x-example"];
  shown.description = `For ${who}.` + (example ? "\n\nAn exchange with a server:\n\n```\n" + example + "\n```" : "");
  const components = {};
  for (const full of reach(description.components, JSON.stringify(shown), new Set())) {
    const [kind, name] = full.split("/");
    (components[kind] ??= {})[name] = description.components[kind][name];
  }
  const { title, version } = description.info;
  return { openapi: description.openapi, info: { title, version }, servers: description.servers, components,
    paths: { [path]: { [method]: shown } } };
}

let loading;

// loadSwagger loads Swagger UI with the first endpoint that is opened.
const loadSwagger = () => loading ??= new Promise((resolve, reject) => {
  const style = element("link");
  style.rel = "stylesheet";
  style.href = swagger + ".css";
  document.head.prepend(style);
  const script = element("script");
  script.src = swagger + ".js";
  script.onload = resolve;
  script.onerror = () => { loading = undefined; reject(new Error("Swagger UI was not loaded")); };
  document.head.append(script);
});

// authorize adds the tokens of the page to a request.
function authorize(request) {
  const token = byID("token").value.trim(), permanent = byID("permanent").value.trim();
  if (token) request.headers.Authorization = `Bearer ${token}`;
  if (permanent) request.headers["X-AUTH-TOKEN"] = permanent;
  return request;
}

async function show(entry) {
  if (entry.shown) return;
  entry.shown = true;
  const place = element("div", "operation");
  entry.details.append(place);
  place.textContent = "Loading …";
  try {
    await loadSwagger();
    place.textContent = "";
    SwaggerUIBundle({
      spec: only(entry), domNode: place, docExpansion: "full", validatorUrl: null, deepLinking: false,
      defaultModelsExpandDepth: -1, defaultModelExpandDepth: 3, displayRequestDuration: true, persistAuthorization: false,
      requestInterceptor: authorize,
    });
  } catch (error) {
    entry.shown = false;
    place.textContent = `The endpoint cannot be shown: ${error.message}.`;
  }
}

// textOf is what the search looks through: it is put together with the first search.
function textOf(entry) {
  const { description, tag, path, method, operation } = entry;
  return entry.text ??= [method, path, operation.summary, operation.operationId, operation["x-who"], tag.name, tag.description,
    JSON.stringify([operation.requestBody, operation.parameters])].join(" ").toLowerCase();
}

// find shows the endpoints that have all words anywhere, in their fields, too.
function find(entries, phrase) {
  const words = phrase.toLowerCase().split(/\s+/).filter(Boolean).map(meanings);
  const schemas = new Map(); // names of schemas with their text
  const textOfSchema = (description, full) => {
    if (!schemas.has(full)) {
      const [kind, name] = full.split("/");
      schemas.set(full, JSON.stringify(description.components[kind][name]).toLowerCase());
    }
    return schemas.get(full);
  };
  for (const entry of entries) {
    const text = textOf(entry);
    let missing = words.filter(alike => !alike.some(word => text.includes(word)));
    if (missing.length > 0) {
      const { requestBody, parameters } = entry.operation;
      entry.names ??= reach(entry.description.components, JSON.stringify([requestBody, parameters]), new Set());
      missing = missing.filter(alike =>
        ![...entry.names].some(full => alike.some(word => textOfSchema(entry.description, full).includes(word))));
    }
    entry.details.hidden = missing.length > 0;
  }
  for (const section of byID("sections").children) {
    section.hidden = !section.querySelector("details:not([hidden])");
  }
  const left = entries.filter(entry => !entry.details.hidden).length;
  document.querySelector(".wait").textContent = words.length === 0 ? "" : left === 0 ? "No endpoint has all these words."
    : `${left} of ${entries.length} endpoints`;
}

// list makes the list of all endpoints.
function list(description) {
  const entries = [], sections = new Map();
  for (const tag of description.tags) {
    const section = element("section", "", element("h2", "", tag.name), element("p", "", tag.description ?? ""));
    sections.set(tag.name, { tag, section });
  }
  for (const [path, methods] of Object.entries(description.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const { tag, section } = sections.get(operation.tags[0]);
      const parts = path.split(/(?=\/)/).flatMap((part, i) => i > 0 ? [element("wbr"), part] : [part]);
      const details = element("details", "", element("summary", "", element("b", method, method.toUpperCase()), " ",
        element("code", "", ...parts), " ", element("span", "", operation.summary ?? "")));
      const entry = { description, tag, path, method, operation, details };
      details.id = operation.operationId;
      details.addEventListener("toggle", () => {
        if (!details.open) return;
        history.replaceState(null, "", `#/${encodeURIComponent(tag.name)}/${operation.operationId}`);
        void show(entry);
      });
      section.append(details);
      entries.push(entry);
    }
  }
  byID("sections").append(...[...sections.values()].map(of => of.section));
  return entries;
}

// follow opens the endpoint that the address names.
function follow() {
  const details = byID(decodeURIComponent(location.hash.split("/").at(-1) ?? ""));
  if (details instanceof HTMLDetailsElement) {
    details.open = true;
    details.scrollIntoView();
  }
}

async function start() {
  const response = await fetch("/api/openapi.json");
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  const entries = list(await response.json());
  document.querySelector(".wait").textContent = "";
  byID("search").addEventListener("input", event => find(entries, event.target.value));
  if (byID("search").value) find(entries, byID("search").value);
  addEventListener("hashchange", follow);
  follow();
}

start().catch(error => {
  document.querySelector(".wait").textContent = `The description cannot be loaded: ${error.message}.`;
});
