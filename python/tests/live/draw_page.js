// SPDX-License-Identifier: BSD-3-Clause
// draw_page.js PAGE: runs the script of a page on a document that only remembers, and prints what is in it.
"use strict";
const text = require("fs").readFileSync(process.argv[2], "utf8");

class Node {
  constructor(name) { Object.assign(this, { name, attributes: {}, children: [], textContent: "" }); }
  setAttribute(key, value) { this.attributes[key] = String(value); }
  append(...children) { this.children.push(...children); }
  replaceChildren(...children) { this.children = children; }
  all() { return [this, ...this.children.flatMap(child => child instanceof Node ? child.all() : [])]; }
}
const known = { main: new Node("main"), status: new Node("p"), data: new Node("script") };
known.data.textContent = text.match(/<script id="data" type="application\/json">(.*)<\/script>/)[1];
globalThis.document = {
  createElement: name => new Node(name), createElementNS: (_, name) => new Node(name),
  getElementById: id => known[id],
};
const script = text.match(/<script>\n([\s\S]*?)<\/script>/)[1];
new Function(script)();
const nodes = known.main.all();
const words = node => [node.textContent, ...node.children.map(child => child instanceof Node ? "" : child)].join("");
console.log(JSON.stringify({
  status: known.status.textContent,
  h2: nodes.filter(node => node.name === "h2").map(words),
  rect: nodes.filter(node => node.name === "rect").length,
  paths: nodes.filter(node => node.name === "path").map(node => node.attributes.d),
  attributes: nodes.flatMap(node => Object.values(node.attributes)).filter(value => value.length < 100000),
  texts: nodes.map(words),
}));
