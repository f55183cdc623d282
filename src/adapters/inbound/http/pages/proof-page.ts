import type { ProofResult, ProvedPerson, ProveIdentity } from '../../../../application/identity/prove-identity.js';
import { PROOF_LASTS_MINUTES, SENSITIVE_ACTS } from '../../../../domain/identity/sensitive-act.js';
import { LOCK_MINUTES } from '../../../../domain/identity/sign-in-lock.js';
import { Unauthenticated } from '../../../../domain/shared/domain-error.js';
import type { LimitSignIn } from '../middleware/sign-in-limit.js';
import { field, fields } from './form-fields.js';
import type { PageContext } from './page-context.js';
import type { SensitiveForm } from './profile-forms.js';
import { sendPage, type FieldProblems } from './render.js';
import { given } from '../kit/given.js';

/** Shows a form again that has the fields of the proof itself. */
export type ShowAgain = (context: PageContext, problems: FieldProblems) => Promise<void> | void;

const REFUSALS: Readonly<Record<Exclude<ProofResult['outcome'], 'proved'>, FieldProblems>> = {
  wrong_password: { current_password: ['is not right'] },
  wrong_code: { current_code: ['is wrong or was used already'] },
  locked: {
    current_password: [
      `can’t be checked now: after ten wrong attempts the account is locked for ${LOCK_MINUTES} minutes`,
    ],
  },
};

/** Of the form itself, and what no page repeats: passwords, and codes that work once. */
const isCarried = (name: string): boolean => name !== 'authenticity_token' && !/password|^current_/.test(name);

/** The fields of a form that the page carries, so that nothing typed is lost. */
const carriedFields = (request: PageContext['request']): readonly (readonly [string, string])[] =>
  Object.keys((request.body as object | undefined) ?? {})
    .filter(isCarried)
    .flatMap((name) => fields(request, name).map((value) => [name, value] as const));

/** Asks whoever sends a sensitive form who they are, unless they have proved it a short while ago. */
export class ProofPage {
  constructor(
    private readonly proveIdentity: ProveIdentity,
    private readonly limitSignIn: LimitSignIn,
  ) {}

  /** The person, or undefined when the request was answered with a page that asks. */
  async ask(context: PageContext, form: SensitiveForm, showAgain?: ShowAgain): Promise<ProvedPerson | undefined> {
    const { browser, request } = context;
    const { session } = browser;
    if (session === undefined) throw new Unauthenticated();
    const clientAddress = request.ip ?? '';
    const password = field(request, 'current_password');
    if (password === '') {
      const recent = form.always === true ? undefined : this.proveIdentity.recent(session, clientAddress);
      if (recent === undefined) await this.#show(context, form, showAgain);
      return recent;
    }
    const offer = await this.limitSignIn(request);
    const code = field(request, 'current_code');
    const result = await this.proveIdentity.prove(session, offer(password), code, clientAddress);
    if (result.outcome === 'proved') return result.person;
    await this.#show(context, form, showAgain, REFUSALS[result.outcome]);
    return undefined;
  }

  async #show(
    context: PageContext,
    { act }: SensitiveForm,
    showAgain: ShowAgain | undefined,
    problems?: FieldProblems,
  ): Promise<void> {
    const { browser, request, response } = context;
    if (problems !== undefined) response.status(401);
    if (showAgain !== undefined) {
      if (problems === undefined) response.status(400);
      return showAgain(context, problems ?? { current_password: ["can't be blank"] });
    }
    sendPage(response, browser, 'confirm-identity', {
      title: 'Confirm that it is you',
      asks: typeof act === 'string' ? SENSITIVE_ACTS[act].asks : act.asks,
      minutes: PROOF_LASTS_MINUTES,
      action: request.path,
      carried: carriedFields(request),
      ...given({ problems }),
    });
  }
}
