import { z } from "zod";
import { type Context, bookPickup, findDepot, quoteRate, writeReceipt } from "./tools.js";

const SERVICES = ["X24", "X48", "ECO"] as const;

export const SCHEMAS = {
  findDepot: z.strictObject({ city: z.string() }),
  quoteRate: z.strictObject({
    fromDepot: z.string(),
    toDepot: z.string(),
    service: z.string().toUpperCase().pipe(z.enum(SERVICES)),
    weightKg: z.number(),
  }),
  bookPickup: z.strictObject({
    rateId: z.string(),
    collectFrom: z.string(),
    deliverTo: z.string(),
    note: z.string().optional(),
  }),
  writeReceipt: z.strictObject({ path: z.string(), text: z.string() }),
};

type Arguments = Record<string, unknown>;

const HANDLERS: Record<string, (given: any, context: Context) => unknown> = {
  findDepot: (given) => findDepot(given.city),
  quoteRate: (given) => quoteRate(given.fromDepot, given.toDepot, given.service, given.weightKg),
  bookPickup: (given, context) => bookPickup(context, given.rateId, given.collectFrom, given.deliverTo, given.note),
  writeReceipt: (given, context) => writeReceipt(context, given.path, given.text),
};

/** Validate the arguments of a call, and make it. */
export function dispatch(name: keyof typeof SCHEMAS, given: Arguments, context: Context): unknown {
  const parsed = SCHEMAS[name].safeParse(given);
  if (!parsed.success) {
    throw new Error(`Invalid arguments for ${name}:\n${z.prettifyError(parsed.error)}`);
  }
  return HANDLERS[name](parsed.data, context);
}
