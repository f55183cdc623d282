import type { Integration } from '../../domain/alerts/integration.js';
import type { Claim, DeliveryRepository } from './ports/alert-repositories.js';

/** One alert that a request touched, as its sender is told. */
export interface TouchedAlert {
  readonly iid: number;
  readonly title: string;
}

/** A request, with the digests of its key and body where it has a key (`Idempotency-Key`). */
interface KeyedRequest {
  readonly integration: Pick<Integration, 'id'>;
  readonly claim: { readonly keyDigest: string; readonly bodyDigest: string } | undefined;
  readonly receivedAt: Date;
}

export type SaidResult =
  | { readonly outcome: 'accepted'; readonly touched: readonly TouchedAlert[] }
  /** The key was used for another body. */
  | { readonly outcome: 'key_reused' };

interface Said {
  readonly claim: Claim;
  /** Of an earlier request, or of one of these that was answered; absent while the first one of the key is not. */
  before: { readonly bodyDigest: string; readonly touched: readonly TouchedAlert[] } | undefined;
  readonly isNew: boolean;
}

const DAY_MS = 86_400_000;

const nameOf = ({ integrationId, keyDigest }: Pick<Claim, 'integrationId' | 'keyDigest'>): string =>
  `${integrationId} ${keyDigest}`;

const claimOf = ({ integration, claim, receivedAt }: KeyedRequest): Claim | undefined =>
  claim && { integrationId: integration.id, ...claim, expiresAt: new Date(receivedAt.getTime() + DAY_MS) };

/** What was said to requests of the same keys, by which each is counted once. */
export class SaidBefore {
  private constructor(private readonly known: ReadonlyMap<string, Said>) {}

  /** Claims the keys of requests that share a transaction, each for the first request that has it. */
  static async claim(deliveries: DeliveryRepository, requests: readonly KeyedRequest[]): Promise<SaidBefore> {
    const claims = new Map<string, Claim>();
    for (const claim of requests.flatMap((request) => claimOf(request) ?? []))
      if (!claims.has(nameOf(claim))) claims.set(nameOf(claim), claim);
    if (claims.size === 0) return new SaidBefore(new Map());
    const found = new Map((await deliveries.claim([...claims.values()])).map((each) => [nameOf(each), each]));
    const said = [...claims].map(([name, claim]): [string, Said] => {
      const before = found.get(name);
      if (before === undefined) return [name, { claim, before: undefined, isNew: true }];
      const touched = JSON.parse(before.answer ?? '[]') as TouchedAlert[];
      return [name, { claim, before: { bodyDigest: before.bodyDigest, touched }, isNew: false }];
    });
    return new SaidBefore(new Map(said));
  }

  /** Undefined for a request that has no key, or is the first one of it. */
  to(request: KeyedRequest): SaidResult | undefined {
    const { claim } = request;
    const before = this.#find(request)?.before;
    if (claim === undefined || before === undefined) return undefined;
    if (before.bodyDigest !== claim.bodyDigest) return { outcome: 'key_reused' };
    return { outcome: 'accepted', touched: before.touched };
  }

  /** Notes what is said to a request. */
  note(request: KeyedRequest, touched: readonly TouchedAlert[]): void {
    const said = this.#find(request);
    if (said !== undefined && request.claim !== undefined)
      said.before = { bodyDigest: request.claim.bodyDigest, touched };
  }

  /** Keeps what was said to the first requests of their keys. */
  async keep(deliveries: DeliveryRepository): Promise<void> {
    const answers = [...this.known.values()].flatMap(({ isNew, claim, before }) =>
      isNew && before !== undefined ? { ...claim, answer: JSON.stringify(before.touched) } : [],
    );
    if (answers.length > 0) await deliveries.answer(answers);
  }

  #find(request: KeyedRequest): Said | undefined {
    const claim = claimOf(request);
    return claim && this.known.get(nameOf(claim));
  }
}
