"use strict";

// make builds an element; text is set as text, so that nothing of the description is read as markup.
function make(name, className, ...content) {
	const element = document.createElement(name);
	if (className) element.className = className;
	element.append(...content.filter((part) => part !== undefined && part !== ""));
	return element;
}

let description;

function resolve(schema) {
	const name = schema.$ref && schema.$ref.split("/").pop();
	return name ? { ...description.components.schemas[name], name } : schema;
}

// kind tells a schema in a few words.
function kind(schema) {
	const s = resolve(schema);
	if (s.anyOf) return s.anyOf.map(kind).join(" or ");
	if (s.enum) return "one of " + s.enum.join(", ");
	const words = [[].concat(s.type || "anything").join(" or "), s.format];
	if (s.contentMediaType) words.splice(0, 2, "file");
	if (s.pattern) words.push("date, or date and time");
	if (s.items) words.push("of " + kind(s.items));
	if (s.additionalProperties) words[0] = "map of " + kind(s.additionalProperties);
	for (const [keyword, sign] of [["minimum", "≥"], ["exclusiveMinimum", ">"], ["exclusiveMaximum", "<"]]) {
		if (s[keyword] !== undefined) words.push(sign + " " + s[keyword]);
	}
	if (s.maxLength) words.push("up to " + s.maxLength + " characters");
	if (s.minItems) words.push("at least " + s.minItems);
	return words.filter(Boolean).join(" ");
}

// inner is the schema whose properties a reader wants to see below a field, and the names on the way to it.
function inner(schema, seen) {
	const s = resolve(schema);
	if (s.name && seen.includes(s.name)) return undefined;
	const way = s.name ? [...seen, s.name] : seen;
	if (s.properties) return { schema: s, seen: way };
	for (const next of [s.items, s.additionalProperties, ...(s.anyOf || [])]) {
		const found = next && inner(next, way);
		if (found) return found;
	}
	return undefined;
}

// field is one line with what is inside it; word stands at a field that is always there.
function field(name, schema, required, word, seen) {
	const item = make("li", "", make("span", "name", name), " ", make("span", "kind", kind(schema)), " ",
		required ? make("span", "must", word) : "",
		make("span", "text", schema.description || resolve(schema).description || ""));
	const below = inner(schema, seen);
	if (below) item.append(fields(below.schema, word, below.seen));
	return item;
}

function fields(schema, word, seen) {
	const required = schema.required || [];
	return make("ul", "fields", ...Object.entries(schema.properties).map(([name, property]) =>
		field(name, property, required.includes(name), word, seen)));
}

function shown(schema, word) {
	const below = inner(schema, []);
	return below ? fields(below.schema, word, below.seen) : make("p", "kind", kind(schema));
}

function section(title, ...content) {
	return [make("h3", "", title), ...content];
}

// shapes are the names of the schemas that an answer has one of.
function shapes(schema) {
	return (schema.anyOf || [schema]).map((one) => one.$ref.split("/").pop());
}

// inside is what an opened endpoint shows.
function inside(operation) {
	const parts = [];
	if (operation.parameters) {
		parts.push(...section("Path, query and headers", make("ul", "fields", ...operation.parameters.map((p) =>
			field(p.name + (p.in === "query" ? "" : " (" + p.in + ")"), { ...p.schema, description: p.description }, p.required, "required", [])))));
	}
	if (operation.requestBody) {
		const schema = Object.values(operation.requestBody.content)[0].schema;
		parts.push(...section("Body", shown(schema, "required")));
	}
	const others = make("dl", "");
	for (const [status, response] of Object.entries(operation.responses)) {
		const name = response.$ref && response.$ref.split("/").pop();
		const answer = name ? description.components.responses[name] : response;
		const [type, media] = Object.entries(answer.content || {})[0] || [];
		if (name) {
			others.append(make("dt", "", status), make("dd", "", answer.description + " " + shapes(media.schema).join(" or ")));
		} else if (media && media.schema) {
			parts.push(...section("Answer " + status, shown(media.schema, "always")));
		} else {
			parts.push(...section("Answer " + status, make("p", "kind", type || answer.description)));
		}
	}
	parts.push(...section("Refusals", others));
	if (operation["x-example"]) parts.push(...section("Example", make("pre", "", operation["x-example"])));
	return make("div", "inside", ...parts);
}

// names lists every name in a description's part, for the search.
function names(part, seen) {
	if (typeof part !== "object" || part === null) return "";
	let text = "";
	for (const [name, value] of Object.entries(part)) {
		if (name === "$ref") {
			const component = value.split("/").pop();
			if (value.includes("/schemas/") && !seen.has(component)) {
				seen.add(component);
				text += names(description.components.schemas[component], seen);
			}
		} else {
			text += " " + (name === "name" ? value : name) + names(value, seen);
		}
	}
	return text;
}

function endpoint(method, path, operation) {
	const details = make("details", "", make("summary", "",
		make("span", "method " + method, method.toUpperCase()), make("span", "path", path),
		make("span", "title", operation.summary),
		make("span", "who", operation["x-who"])));
	details.id = operation.operationId;
	details.words = [method, path, operation.summary, operation["x-who"], operation.tags.join(" "),
		names(operation.parameters, new Set()), names(operation.requestBody, new Set())].join(" ").toLowerCase();
	details.addEventListener("toggle", () => {
		if (details.open && details.childElementCount === 1) details.append(inside(operation));
		if (details.open) history.replaceState(null, "", "#" + details.id);
	});
	return details;
}

function show() {
	document.getElementById("version").textContent = description.info.version;
	document.getElementById("introduction").append(
		...description.info.description.split("\n\n").map((text) => make("p", "", text)));
	for (const { name } of description.tags) {
		const own = [];
		for (const [path, methods] of Object.entries(description.paths)) {
			for (const [method, operation] of Object.entries(methods)) {
				if (operation.tags.includes(name)) own.push(endpoint(method, path, operation));
			}
		}
		const section = make("section", "", make("h2", "", name), ...own);
		section.id = "feature-" + name;
		document.getElementById("endpoints").append(section);
		const link = make("a", "", name + " " + own.length);
		link.href = "#" + section.id;
		document.getElementById("features").append(link);
	}
}

// showErrors lists the bodies of all errors, at the end.
function showErrors() {
	const names = new Set(Object.values(description.components.responses)
		.flatMap((response) => Object.values(response.content)).flatMap((content) => shapes(content.schema)));
	const section = make("section", "", make("h2", "", "Bodies of errors"));
	for (const name of names) {
		section.append(make("h3", "", name), shown({ $ref: "#/components/schemas/" + name }, "always"));
	}
	document.getElementById("endpoints").append(section);
}

// search shows the endpoints that have every word.
function search() {
	const words = document.getElementById("search").value.toLowerCase().split(/\s+/);
	let count = 0;
	for (const section of document.querySelectorAll("main section")) {
		const all = section.querySelectorAll("details");
		let any = all.length === 0;
		for (const details of all) {
			details.hidden = !words.every((word) => details.words.includes(word));
			any = any || !details.hidden;
			count += details.hidden ? 0 : 1;
		}
		section.hidden = !any;
	}
	document.getElementById("count").textContent = count + (count === 1 ? " endpoint" : " endpoints");
}

function openAsked() {
	const asked = document.getElementById(location.hash.slice(1));
	if (!asked) return;
	if (asked.tagName === "DETAILS") asked.open = true;
	asked.scrollIntoView();
}

document.addEventListener("keydown", (event) => {
	const field = document.getElementById("search");
	if (event.key === "/" && event.target !== field) {
		event.preventDefault();
		field.focus();
	} else if (event.key === "Escape" && event.target === field) {
		field.value = "";
		search();
	}
});
document.getElementById("search").addEventListener("input", search);
window.addEventListener("hashchange", openAsked);

fetch("/api/openapi.json").then((response) => {
	if (!response.ok) throw new Error("The server answered " + response.status);
	return response.json();
}).then((received) => {
	description = received;
	show();
	showErrors();
	search();
	openAsked();
}).catch((error) => {
	document.getElementById("count").textContent = "The description could not be read. " + error.message;
});
