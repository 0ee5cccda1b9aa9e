// Finds elements for tests by the role and the name that a screen reader gets.
(() => {
  if (globalThis.webtest) return;

  const clickable = ["button", "link", "checkbox", "radio", "switch", "tab", "menuitem", "menuitemcheckbox",
    "menuitemradio", "option", "treeitem", "disclosuretriangle", "popupbutton", "togglebutton"];
  const fields = 'input:not([type=hidden]), textarea, select, [contenteditable=""], [contenteditable=true], ' +
    '[role=textbox], [role=searchbox], [role=combobox], [role=spinbutton], [role=slider]';

  const squeeze = text => (text ?? "").replace(/\s+/g, " ").trim();
  const roleOf = e => {
    const role = (e.computedRole || "").toLowerCase();
    if (e instanceof HTMLElement && e.localName === "summary") return "button";
    return role === "image" ? "img" : role;
  };
  const nameOf = e => squeeze(e.computedName);
  const textOf = e => squeeze(e.innerText ?? e.textContent);
  const isShown = e => e.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) &&
    !e.closest("[inert], [aria-hidden=true]");

  // Whether the name is the wanted one. A wanted name that ends with an ellipsis is the beginning of the name.
  const isNamed = (name, want) => want === undefined || want === "" ||
    (want.endsWith("…") ? name.startsWith(squeeze(want.slice(0, -1))) : name === squeeze(want));

  // Whether the texts of an element and its labels could give it the wanted name. Asking the browser for a name takes a
  // hundred times as long.
  const solid = text => (text ?? "").replace(/\s+/g, "");
  const mayBeNamed = (e, want) => {
    const part = solid((want ?? "").replace(/…$/, ""));
    if (part === "" || e.type === "file") return true; // the browser adds whether a file was chosen
    const texts = [e, ...(e.labels ?? []), ...(e.ariaLabelledByElements ?? [])].flatMap(t => [
      t.textContent, ...[t, ...t.querySelectorAll("[aria-label], [title], [alt], [placeholder], [value]")].flatMap(
        a => ["aria-label", "title", "alt", "placeholder", "value"].map(name => a.getAttribute(name)))]);
    return texts.some(text => solid(text).includes(part));
  };

  // Elements that can have a role. Asking the browser for the role of every element takes seconds on a long page,
  // and much longer on a slow machine. Options of a native list are chosen with select, not clicked: lists of countries
  // and time zones have hundreds.
  const likely = {
    clickable: "a, button, input, select, summary, [role]", option: "[role=option]",
    button: "button, input, summary, [role=button]", tab: "[role=tab]", row: "tr, [role=row]", cell: "td, [role=cell]",
    dialog: "dialog, [role=dialog]", heading: "h1, h2, h3, h4, h5, h6, [role=heading]", alert: "[role=alert]",
    status: "output, [role=status]", link: "a, area, [role=link]", img: "img, svg, [role=img], [role=image]",
    region: "section, [role=region]", group: "fieldset, details, [role=group]", menuitem: "[role=menuitem]",
    main: "main, [role=main]",
  };

  // Elements that have the role and, as far as their texts tell, can have the name.
  const candidates = (root, role, name) => {
    const all = [...root.querySelectorAll(role === "field" ? fields : likely[role] ?? "*")]
      .filter(e => mayBeNamed(e, name));
    if (role === "field") return all;
    if (role === "clickable") return all.filter(e => clickable.includes(roleOf(e)));
    return all.filter(e => roleOf(e) === role);
  };

  // A part of the page may also be named by the text in it; then the innermost one counts.
  const part = (root, { role, name }) => {
    const shown = candidates(root, role, name).filter(isShown);
    const named = shown.filter(e => isNamed(nameOf(e), name));
    if (named.length > 0) return named;
    const holding = shown.filter(e => nameOf(e).includes(squeeze(name)) || textOf(e).includes(squeeze(name)));
    return holding.filter(e => !holding.some(inner => inner !== e && e.contains(inner)));
  };

  const describe = elements => elements.slice(0, 40).map(e => `${roleOf(e)} "${nameOf(e)}"`).join(", ") || "nothing";

  // Whether errors list what else there is, which takes long.
  let explains = false;

  // The element that the last of the steps describes, within those that the others describe. Otherwise the error.
  const find = (scope, wanted) => {
    let root = document.body;
    if (!root) return { error: "the page is empty" };
    for (const step of scope) {
      const found = part(root, step);
      if (found.length !== 1) return { error: `${found.length} × ${step.role} "${step.name}"` };
      root = found[0];
    }
    if (!wanted) return { element: root };
    // A checkbox may be invisible behind the drawing of its label.
    const usable = e => isShown(e) || (e.labels?.length > 0 && isShown(e.labels[0]) && !e.closest("[inert]"));
    const named = candidates(root, wanted.role, wanted.name).filter(usable).filter(e => isNamed(nameOf(e), wanted.name));
    if (named.length === 1) return { element: named[0] };
    const kind = wanted.role === "clickable" ? "button, link or the like" : wanted.role;
    const others = explains ? `; there is: ${describe(candidates(root, wanted.role).filter(usable))}` : "";
    return { count: named.length, error: `${named.length} × ${kind} "${wanted.name}"${others}` };
  };

  // The page is busy while it loads, and while it waits for what it counts itself: calls, and parts of the app.
  const calls = () => Number(document.documentElement?.dataset.calls ?? 0);
  const isBusy = () => document.readyState !== "complete" || calls() > 0;
  let changes = 0; // of the page's count
  new MutationObserver(() => changes++).observe(document, { subtree: true, attributeFilter: ["data-calls"] });

  // Resolves after the next frame, and after what the page does behind it.
  const frame = () => new Promise(resolve => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, 100); // hidden pages have no frames
  });

  // Resolves when the page was not busy for a whole frame: a response may make it begin another call. What it loads may
  // move what is to be clicked, or the focus, faster than a person would click or type. It reports false at the end of
  // patience.
  const ready = async () => {
    for (;;) {
      const before = changes;
      await frame();
      if (!isBusy() && changes === before) return true;
      if (performance.now() > end) return false;
    }
  };
  let end = 0; // of the patience of the present step

  const rectOf = e => {
    const r = e.getBoundingClientRect();
    return [r.left, r.top, r.width, r.height];
  };

  const stillBusy = () => `the page is busy: ${document.readyState}, ${calls()} calls`;

  // Where to click the element: its middle, once it is enabled, no longer moves and nothing covers it.
  const aim = async (scope, wanted) => {
    const found = find(scope, wanted);
    if (found.error) return found;
    let e = found.element;
    const what = `${roleOf(e)} "${nameOf(e)}"`;
    if (e.matches(":disabled") || e.ariaDisabled === "true") return { error: `${what} is disabled` };
    if (e.closest("[role=listbox][aria-busy=true]")) return { error: `${what} is in a list that changes` };
    if ((!isShown(e) || e.offsetWidth < 2) && e.labels?.length > 0) e = e.labels[0];
    e.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    const before = rectOf(e);
    if (!(await ready())) return { error: stillBusy() };
    const after = rectOf(e);
    if (before.some((value, i) => value !== after[i])) return { error: `${what} moves` };
    const [left, top, width, height] = after;
    if (width === 0 || height === 0) return { error: `${what} has no size` };
    // A link of several lines has corners without text.
    const line = [...e.getClientRects()].find(r => r.width > 0 && r.height > 0);
    for (const r of [{ left, top, width, height }, line]) {
      const x = r.left + r.width / 2, y = r.top + r.height / 2;
      const hit = document.elementFromPoint(x, y);
      if (hit && (e.contains(hit) || hit.contains(e) && hit.localName === "label")) return { x, y };
    }
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return { error: `${what} is covered by ${hit ? hit.outerHTML.slice(0, 120) : "nothing: it is off the screen"}` };
  };

  // Calls the check until it has no error, at each frame in which the page changes, for at most some milliseconds.
  const until = async (check, patience) => {
    end = performance.now() + patience;
    for (;;) {
      explains = performance.now() > end;
      const result = await check();
      if (!result.error || explains) return result;
      await new Promise(resolve => {
        const observer = new MutationObserver(() => done());
        const done = () => { observer.disconnect(); clearTimeout(timer); resolve(); };
        const timer = setTimeout(done, 50);
        observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      });
      await frame();
    }
  };

  const type = { date: 1, time: 1, "datetime-local": 1, month: 1, week: 1, color: 1, range: 1 };

  // Sets the value of an element that has no text to type into, as a picker does.
  const setValue = (e, value) => {
    const prototype = Object.getPrototypeOf(e);
    Object.getOwnPropertyDescriptor(prototype, "value").set.call(e, value);
    e.dispatchEvent(new Event("input", { bubbles: true }));
    e.dispatchEvent(new Event("change", { bubbles: true }));
  };

  const pageText = root => {
    const open = [...document.querySelectorAll("dialog:modal, :popover-open")].filter(e => !document.body.contains(e));
    return squeeze([root, ...open].map(e => e.innerText).join(" "));
  };

  const checks = {
    aim,
    // Focuses a field and selects its content, so that typing replaces it.
    focus: async (scope, wanted, value) => {
      const found = find(scope, wanted);
      if (found.error) return found;
      const e = found.element;
      if (e.matches(":disabled") || e.readOnly) return { error: `field "${wanted.name}" cannot be changed` };
      e.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
      e.focus();
      if (document.activeElement !== e) return { error: `field "${wanted.name}" does not take the focus` };
      if (e.localName === "input" && type[e.type]) {
        setValue(e, value);
        return e.value === value ? { done: true } : { error: `field "${wanted.name}" does not take ${value}` };
      }
      if (e.select) e.select();
      else getSelection().selectAllChildren(e);
      return { empty: (e.value ?? e.innerText) === "" };
    },
    select: async (scope, wanted, value) => {
      const found = find(scope, wanted);
      if (found.error) return found;
      const e = found.element;
      if (e.localName !== "select") return { custom: true };
      if (e.disabled) return { error: `field "${wanted.name}" is disabled` };
      const option = [...e.options].find(o => squeeze(o.label) === squeeze(value) && !o.disabled);
      if (!option) return { error: `no option "${value}" in: ${[...e.options].map(o => o.label).join(", ")}` };
      e.focus();
      setValue(e, option.value);
      return {};
    },
    value: async (scope, wanted, value) => {
      const found = find(scope, wanted);
      if (found.error) return found;
      const e = found.element;
      const is = e.type === "checkbox" || e.type === "radio" ? String(e.checked)
        : e.localName === "select" ? squeeze(e.selectedOptions[0]?.label) : e.ariaChecked ?? e.value ?? textOf(e);
      return value === is ? {} : { error: `field "${wanted.name}" holds "${is}"` };
    },
    present: async (scope, wanted) => {
      const found = find(scope, wanted);
      return found.element || found.count > 1 ? {} : { error: found.error };
    },
    absent: async (scope, wanted) => {
      const found = find(scope, wanted);
      return found.element || found.count > 1 ? { error: `${wanted.role} "${wanted.name}" is still there` } : {};
    },
    text: async (scope, _, value) => {
      const found = find(scope);
      if (found.error) return found;
      const text = pageText(found.element);
      return text.includes(squeeze(value)) ? {} : { error: `the text is: ${text.slice(0, 3000)}` };
    },
    gone: async (scope, _, value) => {
      const found = find(scope);
      if (found.error && scope.length > 0) return {}; // the part has gone with its text
      return pageText(found.element ?? document.body).includes(squeeze(value)) ? { error: "it is still there" } : {};
    },
    read: async scope => {
      const found = find(scope);
      return found.error ? found : { text: pageText(found.element) };
    },
    path: async (_, __, value) => {
      const path = location.pathname + location.search + location.hash;
      const is = value.endsWith("…") ? path.startsWith(value.slice(0, -1)) : path === value;
      return is && document.readyState !== "loading" ? {} : { error: `the path is ${path}` };
    },
    count: async (scope, wanted) => {
      const found = find(scope);
      if (found.error) return found;
      return { count: candidates(found.element, wanted.role, wanted.name).filter(isShown)
        .filter(e => isNamed(nameOf(e), wanted.name)).length };
    },
    focused: async () => {
      const e = document.activeElement;
      return { text: !e || e === document.body ? "" : `${roleOf(e)} ${nameOf(e)}`.trim() };
    },
    file: async (scope, wanted) => {
      const found = find(scope, wanted);
      if (found.error) return found;
      globalThis.webtest.found = found.element;
      return found.element.type === "file" ? {} : { error: `field "${wanted.name}" takes no files` };
    },
    free: async () => ({}),
    ready: async () => (await ready() ? {} : { error: stillBusy() }),
    holds: async (_, __, condition) => (await condition() ? {} : { error: "it is not so" }),
    // Resolves when fonts are there and nothing moves any more, so that pictures of it are alike.
    still: async () => {
      await document.fonts.ready;
      const moving = document.getAnimations().filter(a => a.playState === "running" &&
        a.effect?.getComputedTiming().iterations !== Infinity);
      const loading = [...document.images].filter(i => isShown(i) && !i.complete);
      return moving.length + loading.length === 0 ? {} : { error: "something still moves or loads" };
    },
  };

  // Acts need a page that is not busy. What tells of the page as it is now also needs a frame without a change before.
  // The others wait for something that may go again, such as a message, and for the page afterwards.
  const acts = ["aim", "focus", "select", "focused", "file", "free", "ready"];
  const views = ["read", "count", "still", "gone", "absent"];
  const step = async (check, scope, wanted, value) => {
    const before = acts.includes(check) ? isBusy() : views.includes(check);
    if (before && !(await ready())) return { error: stillBusy() };
    const result = await checks[check](scope, wanted ?? undefined, value);
    const waits = !acts.includes(check) && !views.includes(check) && !result.error;
    return waits && !(await ready()) ? { busy: true } : result;
  };

  globalThis.webtest = {
    step: (check, scope, wanted, value, patience) => until(() => step(check, scope, wanted, value), patience),
  };
  document.addEventListener("securitypolicyviolation", event => console.error(
    `the content policy forbids ${event.violatedDirective}: ${event.blockedURI} ${event.sample} ` +
    `(${event.sourceFile}:${event.lineNumber})`));
})();
