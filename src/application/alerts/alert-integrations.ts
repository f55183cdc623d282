import {
  checkIntegration,
  contradicts,
  type Integration,
  type IntegrationType,
} from '../../domain/alerts/integration.js';
import { Forbidden, Invalid, NotFound } from '../../domain/shared/domain-error.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretBox, SecretDigester, SecretSource } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { IntegrationRepository } from './ports/alert-repositories.js';

export interface CreateIntegrationCommand {
  readonly type: IntegrationType;
  readonly name: string;
  readonly active: boolean;
  readonly apiUrl: string | null;
  readonly samplePayload: string | null;
}

/** What the tier of the installation allows. */
export interface AlertTier {
  readonly name: string;
  readonly premium: boolean;
}

type Manager = Permitted<'manage_alert_integrations'>;

const KEY_LENGTH = 32;
const IDENTIFIER_LENGTH = 16;

/** The ways by which a project takes alerts. */
export class AlertIntegrations {
  constructor(
    private readonly unitOfWork: UnitOfWork<{ readonly alertIntegrations: IntegrationRepository }>,
    private readonly secrets: SecretSource,
    private readonly digester: SecretDigester,
    private readonly secretBox: SecretBox,
    private readonly clock: Clock,
    private readonly tier: AlertTier,
  ) {}

  /** @throws Invalid naming every problem; Forbidden for what the tier lacks. */
  async create({ project }: Manager, given: CreateIntegrationCommand): Promise<Integration> {
    const command = { ...given, ...addressOf(given) };
    check(command);
    if (command.type === 'link') this.#requirePremium('The link integration');
    const now = this.clock.now();
    return this.unitOfWork.execute(async ({ alertIntegrations }) => {
      const others = await alertIntegrations.takeAll(project.id);
      if (command.type === 'http_endpoint' && others.some(({ type }) => type === 'http_endpoint')) {
        this.#requirePremium('More than one HTTP endpoint');
      }
      refuseContradiction(command, others);
      const identifier = this.#hex(IDENTIFIER_LENGTH);
      return alertIntegrations.add({
        ...command,
        ...this.#newKey(),
        projectId: project.id,
        identifier,
        createdAt: now,
      });
    });
  }

  /** @throws NotFound; Invalid naming every problem. */
  async edit(
    { project }: Manager,
    id: number,
    changes: Partial<Pick<Integration, 'name' | 'active' | 'apiUrl'>>,
  ): Promise<void> {
    await this.unitOfWork.execute(async ({ alertIntegrations }) => {
      const all = await alertIntegrations.takeAll(project.id);
      const before = all.find((each) => each.id === id);
      if (before === undefined) throw new NotFound('Integration');
      const edited = { ...before, ...changes };
      const kept = { ...changes, ...addressOf(edited) };
      check({ ...edited, ...kept });
      refuseContradiction(
        edited,
        all.filter((each) => each.id !== id),
      );
      await alertIntegrations.update(id, kept, this.clock.now());
    });
  }

  /** A new key; the old one is refused at once. @throws NotFound. */
  async resetKey(manager: Manager, id: number): Promise<void> {
    await this.#change(manager, id, (repository) => repository.update(id, this.#newKey(), this.clock.now()));
  }

  /** @throws NotFound. */
  async remove(manager: Manager, id: number): Promise<void> {
    await this.#change(manager, id, (repository) => repository.remove(id));
  }

  /** The key of an integration, to be shown to whoever may see it. */
  reveal(sealedKey: string): string {
    return this.secretBox.open(sealedKey);
  }

  #change(
    { project }: Manager,
    id: number,
    change: (repository: IntegrationRepository) => Promise<void>,
  ): Promise<void> {
    return this.unitOfWork.execute(async ({ alertIntegrations }) => {
      if ((await alertIntegrations.find(project.id, id)) === undefined) throw new NotFound('Integration');
      await change(alertIntegrations);
    });
  }

  #newKey(): { readonly keyDigest: string; readonly sealedKey: string } {
    const key = this.#hex(KEY_LENGTH);
    return { keyDigest: this.digester.digest(key), sealedKey: this.secretBox.seal(key) };
  }

  /** Hex characters of randomness, four bits each. */
  #hex(length: number): string {
    return this.digester.digest(this.secrets.token()).slice(0, length);
  }

  #requirePremium(what: string): void {
    if (!this.tier.premium)
      throw new Forbidden(`${what} needs the premium tier; this installation has ${this.tier.name}.`);
  }
}

/** A link alone leads to another product: what is sent for other types is not kept. */
const addressOf = ({ type, apiUrl }: Pick<Integration, 'type' | 'apiUrl'>): Pick<Integration, 'apiUrl'> => ({
  apiUrl: type === 'link' ? apiUrl : null,
});

const check = (integration: Pick<Integration, 'name' | 'type' | 'apiUrl'>): void => {
  const problems = new ProblemCollector();
  checkIntegration(problems, integration);
  problems.refuse();
};

const refuseContradiction = (
  integration: Pick<Integration, 'type' | 'active'>,
  others: readonly Pick<Integration, 'type' | 'active'>[],
): void => {
  if (contradicts(integration, others)) {
    throw new Invalid({ active: ['can’t be while another integration is active: a link stands alone'] });
  }
};
