import { COUNTED_KINDS } from '../../domain/audit/audit-kind.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { Occasion } from '../shared/occasion.js';
import type { Clock } from '../shared/ports/clock.js';
import { together } from '../shared/together.js';
import type { Act } from './acts.js';
import type { AuditedAct, AuditMeans, AuditRepository, NewAuditEntry } from './ports/audit-ports.js';

const HOUR_MS = 3_600_000;
const KEPT_MS = 365 * 24 * HOUR_MS;
/** Names are longer nowhere but where somebody wants them to be. */
const LONGEST_TEXT = 500;

type Method = (...args: unknown[]) => Promise<unknown>;

const bounded = (text: string | undefined): string | null => text?.slice(0, LONGEST_TEXT) ?? null;

/** Who acts, as far as it is known: by what, and in whose name. */
const authorOf = async (repository: AuditRepository, occasion: Occasion | undefined, known: AuditedAct['author']) => {
  const nobody = { authorId: null, authorName: null, actedAs: null };
  if (occasion === undefined) return { ...nobody, means: 'service' satisfies AuditMeans as AuditMeans };
  const { by } = occasion;
  if (by.kind === 'operator') return { ...nobody, means: 'operator' as const };
  if (by.kind === 'anonymous') {
    const author = known && { authorId: known.id, authorName: known.username };
    return { ...nobody, ...author, means: known === undefined ? ('nobody' as const) : ('browser' as const) };
  }
  const means = by.credential.kind === 'session' ? ('browser' as const) : MEANS[by.credential.kind];
  if (by.impersonator === undefined) return { authorId: by.id, authorName: by.username, actedAs: null, means };
  const administrator = await repository.user(by.impersonator);
  return { ...byId(by.impersonator, administrator?.username), actedAs: by.username, means };
};

const MEANS = { personal_access_token: 'personal_access_token', oauth: 'application' } as const;
const byId = (authorId: UserId, authorName: string | undefined) => ({ authorId, authorName: authorName ?? null });

/** Writes what is done in one transaction, by who asked for it. */
export class AuditLog {
  constructor(
    private readonly repository: AuditRepository,
    private readonly occasion: Occasion | undefined,
    private readonly clock: Clock,
  ) {}

  async record(act: AuditedAct): Promise<void> {
    const at = this.clock.now();
    const entry: NewAuditEntry = {
      kind: act.kind,
      ...(await authorOf(this.repository, this.occasion, act.author)),
      clientAddress: this.occasion?.clientAddress ?? null,
      account: bounded(act.account),
      place: bounded(act.place),
      subject: bounded(act.subject),
      detail: bounded(act.detail),
      createdAt: at,
      expiresAt: new Date(at.getTime() + KEPT_MS),
    };
    if (COUNTED_KINDS.has(act.kind)) await this.repository.count(entry, new Date(at.getTime() - HOUR_MS));
    else await this.repository.add(entry);
  }

  /** The same repository: what its methods do is written with it, or neither happens. */
  watch<Store extends object>(store: Store, acts: Readonly<Record<string, Act<never, never>>>): Store {
    return new Proxy(store, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name, target);
        if (typeof method !== 'function') return method;
        const act = acts[name as string] as Act<unknown[], unknown> | undefined;
        const call = method.bind(target) as Method;
        return act === undefined || act === 'ordinary' ? call : (...args: unknown[]) => this.#tell(act, call, args);
      },
    });
  }

  async #tell(act: Exclude<Act<unknown[], unknown>, 'ordinary'>, call: Method, args: unknown[]): Promise<unknown> {
    if ('beside' in act) {
      const records = act.beside(...args).map((each) => this.record(each));
      const [result] = await together([call(...args), ...records]);
      return result;
    }
    const before = 'before' in act ? await act.before(this.repository, ...args) : [];
    const result = await call(...args);
    const acts = 'after' in act ? await act.after(this.repository, result, ...args) : before;
    // It was gone already.
    if (result !== false) for (const each of acts) await this.record(each);
    return result;
  }
}
