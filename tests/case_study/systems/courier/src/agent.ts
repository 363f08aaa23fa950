import { type Context } from "./tools.js";
import { SCHEMAS, dispatch } from "./registry.js";

type Arguments = Record<string, unknown>;
type Event = { said: string; by: string } | { tool: string; arguments: Arguments; result: string; failed: boolean };

export const TASK =
  "Book an express pickup for a parcel of 12 kg from Bergen to Turin, and write booking, direction and price to receipt.txt.";

/** A scripted agent: one call after the other, each made from what the earlier ones returned. */
export class Agent {
  events: Event[] = [{ said: TASK, by: "user" }];
  memory: Record<string, any> = {};

  constructor(private context: Context) {}

  say(text: string) {
    this.events.push({ said: text, by: "assistant" });
  }

  call(tool: keyof typeof SCHEMAS, given: Arguments, key: string): boolean {
    try {
      const result = dispatch(tool, given, this.context);
      this.memory[key] = result;
      const text = typeof result === "string" ? result : JSON.stringify(result);
      this.events.push({ tool, arguments: given, result: text, failed: false });
      return true;
    } catch (error) {
      const rejected = error instanceof Error && error.message.startsWith("Invalid arguments");
      const text = error instanceof Error ? (rejected ? error.message : error.stack ?? error.message) : String(error);
      this.events.push({ tool, arguments: given, result: text, failed: true });
      return false;
    }
  }

  run() {
    this.say("I'll look up both depots first.");
    this.call("findDepot", { city: "Bergen" }, "from");
    this.call("findDepot", { city: "Turin" }, "to");
    const [fromDepot, toDepot] = [this.memory.from.depot, this.memory.to.depot];
    const quoted = ["express", "X24", "Express", "X48"].some((service) =>
      this.call("quoteRate", { fromDepot, toDepot, service, weightKg: 12 }, "quote"),
    );
    if (!quoted) {
      return this.say("No service name was accepted, so I could not get a rate and booked nothing.");
    }
    const rateId = this.memory.quote.rates[0]?.rateId ?? "STANDARD";
    if (!this.call("bookPickup", { rateId, deliverTo: toDepot, collectFrom: fromDepot }, "booking")) {
      return this.say("The booking failed, so there is no receipt.");
    }
    const { booking, collectFrom, deliverTo, price } = this.memory.booking;
    this.call("writeReceipt", { path: "receipt.txt", text: `Booking ${booking}: ${collectFrom} to ${deliverTo}, ${price} EUR` }, "receipt");
    this.say("The pickup is booked and the receipt is written.");
  }
}
