import { boundsFor, faultsOf, measure, type Cost } from './meter.js';
import type { MeasuredService } from './measured-service.js';
import { attacksOn, type Attack, type Shape } from './shapes.js';
import { send, type Sent } from './send.js';
import type { Caller, Target } from './target.js';

/** What one attack by one caller on one route cost. */
export interface Finding {
  readonly target: string;
  readonly caller: Caller;
  readonly shape: string;
  readonly detail: string;
  readonly cost: Cost;
  readonly faults: readonly string[];
}

/** A route that ended the service so often is not asked on: its turn would never end. */
const MOST_ENDS = 2;
const PLAIN_PATIENCE_MS = 5_000;
const REFUSED = new Set([401, 403, 404]);

/** A request of one caller, as it goes out. */
export const compose = async (
  target: Target,
  caller: Caller,
  attack: Attack,
  body: Buffer | undefined,
): Promise<Sent> => {
  const path = attack.segment === undefined ? await target.path(caller) : target.pathWith(attack.segment);
  return {
    method: target.method,
    path: `${path ?? ''}${attack.query === undefined ? '' : `?${attack.query}`}`,
    headers: {
      ...(await target.headers(caller)),
      ...(attack.type === undefined ? {} : { 'Content-Type': attack.type }),
      ...attack.headers,
    },
    ...(body === undefined ? {} : { body }),
    ...(attack.chunked === true ? { chunked: true } : {}),
  };
};

/** Whether the caller is let in at all, so that what is in the fields is looked at. */
const isLetIn = async (service: MeasuredService, target: Target, caller: Caller): Promise<boolean> => {
  const sent = { method: target.method, path: await target.path(caller), headers: await target.headers(caller) };
  const { status } = await send(service.port, sent, PLAIN_PATIENCE_MS);
  return !REFUSED.has(status);
};

/** Sends every attack of one caller on one route, and tells what each cost. */
export const attackTarget = async (
  service: MeasuredService,
  target: Target,
  caller: Caller,
  shapes: RegExp,
): Promise<Finding[]> => {
  const findings: Finding[] = [];
  const bounds = boundsFor(target, caller);
  let ends = 0;
  const letIn = await isLetIn(service, target, caller);
  // Beyond who is let in and what they may write, people are treated alike.
  const asked = ({ name, inFields }: Shape) => shapes.test(name) && (inFields ? letIn : caller !== 'person');
  for (const attack of attacksOn(target, asked)) {
    if (attack.segment !== undefined && target.pathWith('') === undefined) continue;
    const body = attack.body?.();
    const cost = await measure(service, () => compose(target, caller, attack, body), bounds);
    const { shape, detail = '' } = attack;
    findings.push({ target: target.name, caller, shape, detail, cost, faults: faultsOf(cost, bounds) });
    if (cost.end === 'answered' && cost.tookMs < 2_900) continue;
    await service.restart();
    ends += 1;
    if (ends >= MOST_ENDS) break;
  }
  return findings;
};
