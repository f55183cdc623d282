import type { ALERT_COUNTERS } from '../../application/alerts/ports/alert-counters.js';
import type { LabelsOf } from '../../application/shared/ports/counters.js';
import type { SentPayload, TakeAlertsResult } from '../../application/alerts/take-alerts.js';
import type { DatabaseOfThreads } from '../../adapters/outbound/persistence/knex/database.js';
import type { SecretKeys } from '../../adapters/outbound/security/aes-secret-box.js';
import { StorageMoved } from '../../adapters/outbound/persistence/knex/dialect/constraint-violations.js';
import { Unavailable } from '../../domain/shared/domain-error.js';
import type { LeftWork } from '../composition/storage.js';

/** What a thread is started with. */
export interface ThreadSettings {
  readonly database: DatabaseOfThreads;
  readonly secretKeys: SecretKeys;
  readonly baseUrl: string;
  readonly groupByPayload: boolean;
}

/** A payload with the number that its answer is given by. */
export type Numbered = readonly [number, SentPayload];

type Sender = Pick<SentPayload, 'integration' | 'keyDigest' | 'projectPath'>;

/** Payloads of one sender: what they share crosses once, because objects cost more on the way than all else of a message. */
interface PayloadsOfSender {
  readonly sender: Sender;
  readonly numbers: number[];
  readonly texts: string[];
  /** Of the numbers that have one. */
  readonly idempotencyKeys: Map<number, string>;
}

/** To the thread: payloads, or that there are no more to come. */
export type Asked = readonly PayloadsOfSender[] | 'no more';

/** Those of one turn share what was looked up of their sender. */
const areOf = ({ sender }: PayloadsOfSender, { integration, keyDigest, projectPath }: SentPayload): boolean =>
  sender.integration === integration && sender.keyDigest === keyDigest && sender.projectPath === projectPath;

export const pack = (payloads: readonly Numbered[]): readonly PayloadsOfSender[] => {
  const packed: PayloadsOfSender[] = [];
  for (const [number, payload] of payloads) {
    let known = packed.find((one) => areOf(one, payload));
    if (known === undefined) {
      const { integration, keyDigest, projectPath } = payload;
      const sender = { integration, keyDigest, projectPath };
      packed.push((known = { sender, numbers: [], texts: [], idempotencyKeys: new Map() }));
    }
    known.numbers.push(number);
    known.texts.push(payload.text);
    if (payload.idempotencyKey !== undefined) known.idempotencyKeys.set(number, payload.idempotencyKey);
  }
  return packed;
};

export const unpack = (packed: readonly PayloadsOfSender[]): readonly Numbered[] =>
  packed.flatMap(({ sender, numbers, texts, idempotencyKeys }) =>
    numbers.map((number, place): Numbered => {
      return [number, { ...sender, text: texts[place]!, idempotencyKey: idempotencyKeys.get(number) }];
    }),
  );

/** From the thread: the answers of a turn, and what is to be known here of what it did. */
export interface Told {
  /** JSON of `[number, Answer]`s: a text costs less on the way than objects do. */
  readonly answers: string;
  readonly counts: readonly Count[];
  readonly left: ReadonlySet<LeftWork>;
}

type CounterName = keyof typeof ALERT_COUNTERS;
export type Count = readonly [CounterName, LabelsOf<typeof ALERT_COUNTERS, CounterName> | undefined, number];

/** Results are plain data, but an error loses its class between threads: those that mean something here are named. */
export type Answer =
  | { readonly result: TakeAlertsResult }
  | { readonly unavailable: Unavailable['dependency'] }
  | { readonly moved: string }
  | { readonly failed: { readonly message: string; readonly stack: string } };

export const answerOfError = (error: unknown): Answer => {
  if (error instanceof Unavailable) return { unavailable: error.dependency };
  if (error instanceof StorageMoved) return { moved: error.message };
  const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
  return { failed: { message, stack } };
};

/** @throws what was thrown in the thread. */
export const resultOf = (answer: Answer): TakeAlertsResult => {
  if ('result' in answer) return answer.result;
  if ('unavailable' in answer) throw new Unavailable(answer.unavailable);
  if ('moved' in answer) throw new StorageMoved(answer.moved);
  throw Object.assign(new Error(answer.failed.message), { stack: answer.failed.stack });
};
