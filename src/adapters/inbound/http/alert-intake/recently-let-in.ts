import type { IntegrationWithKey } from '../../../../application/alerts/ports/alert-readers.js';
import type { IntakeAddress } from './intake-address.js';

/** Where the key of an integration was replaced, the former one is refused by the transaction that would have stored its alert. */
const LASTS_MS = 1_000;
const MOST = 1_000;

interface Kept {
  readonly found: IntegrationWithKey;
  readonly until: number;
}

const keyOf = ({ projectPath, at }: IntakeAddress): string =>
  `${'type' in at ? at.type : `/${at.identifier}`} ${projectPath}`;

/**
 * Integrations that let somebody in within the last second: in a storm of many projects each request would ask for its own. Whether one is
 * still open is decided again where its alerts are written, so nothing is stored by what is known here alone.
 */
export class RecentlyLetIn {
  readonly #kept = new Map<string, Kept>();

  find(address: IntakeAddress): IntegrationWithKey | undefined {
    const kept = this.#kept.get(keyOf(address));
    return kept !== undefined && kept.until > performance.now() ? kept.found : undefined;
  }

  keep(address: IntakeAddress, found: IntegrationWithKey): void {
    if (this.#kept.size >= MOST) this.#kept.clear();
    this.#kept.set(keyOf(address), { found, until: performance.now() + LASTS_MS });
  }
}
