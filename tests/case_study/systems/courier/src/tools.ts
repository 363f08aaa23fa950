import { writeFileSync } from "node:fs";

export interface Context {
  clock: string;
  account: string;
  folder: string;
}

const DEPOTS: Record<string, string> = { Bergen: "BGO-1", Turin: "TRN-2" };
const RATES = [
  { rateId: "RT-5513", service: "X24", maxKg: 30, price: 84.5 },
  { rateId: "RT-5521", service: "ECO", maxKg: 30, price: 31.0 },
];

export function findDepot(city: string) {
  return { city, depot: DEPOTS[city] ?? null };
}

export function quoteRate(fromDepot: string, toDepot: string, service: string, weightKg: number) {
  const rates = RATES.filter((rate) => rate.service === service && weightKg <= rate.maxKg);
  return { fromDepot, toDepot, rates };
}

export function bookPickup(context: Context, rateId: string, collectFrom: string, deliverTo: string, note?: string) {
  const label = note === undefined ? "no note" : note.trim().slice(0, 40);
  const rate = RATES.find((entry) => entry.rateId === rateId);
  return {
    booking: "PK-20917",
    account: context.account,
    collectFrom,
    deliverTo,
    price: rate?.price ?? 0,
    day: context.clock.slice(0, 10),
    label,
  };
}

export function writeReceipt(context: Context, path: string, text: string) {
  writeFileSync(`${context.folder}/${path}`, text);
  return `${text.length} characters written to ${path}`;
}
