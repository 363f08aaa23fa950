import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { Agent, TASK } from "./agent.js";

const agent = new Agent({ clock: "2025-03-04T09:00:00Z", account: "fjord-outfitters", folder: mkdtempSync(`${tmpdir()}/courier-`) });
agent.run();
console.log(JSON.stringify({ task: TASK, events: agent.events }));
