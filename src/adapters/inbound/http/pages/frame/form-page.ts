import { isCalendarDay } from '../../../../../domain/shared/calendar-day.js';
import {
  BadRequest,
  Conflict,
  Forbidden,
  Invalid,
  NotPossible,
  Taken,
  TooManyRequests,
  Unprocessable,
} from '../../../../../domain/shared/domain-error.js';
import { field, fields } from '../form-fields.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import type { FieldProblems } from '../render.js';
import { tell } from './notice.js';

/** What a form did, in the words of what was done, and where that is seen. */
export interface Done {
  readonly notice: string;
  readonly to: string;
}

/** Why a form was refused: beside its fields, or above them. */
export interface Refusal {
  readonly problems?: FieldProblems;
  readonly problem?: string;
}

/** A form at an address of its own: it is shown there, sent there, and shown again there with what was typed when it is refused. */
export interface FormPage<Place> {
  readonly path: string | RegExp;
  /** Whether it may hold texts of up to a megabyte, and files beside them. */
  readonly large?: true | 'with files';
  /** @throws NotFound, Forbidden for whoever may not. */
  readonly find: (context: PageContext) => Promise<Place>;
  readonly show: (context: PageContext, place: Place, refusal: Refusal) => Promise<void>;
  /** Undefined where the form is only to be shown again, as for a preview. */
  readonly act: (context: PageContext, place: Place) => Promise<Done | undefined>;
}

/** What to say of an error where a form was; undefined where it isn't the form's. */
export const refusalOf = (error: unknown): (Refusal & { readonly status: number }) | undefined => {
  if (error instanceof Invalid) return { status: 400, problems: error.problems };
  if (error instanceof Taken) return { status: 409, problems: error.problems };
  if (error instanceof TooManyRequests) return { status: 429, problem: error.message };
  if (error instanceof Conflict) return { status: 409, problem: error.message };
  // Without a reason it is the page itself that is refused.
  if (error instanceof Forbidden && error.reason !== undefined) return { status: 403, problem: error.reason };
  if (error instanceof NotPossible || error instanceof Unprocessable || error instanceof BadRequest)
    return { status: 400, problem: error.message };
  return undefined;
};

export const addFormPage = <Place>(pages: Pages, { path, large, find, show, act }: FormPage<Place>): void => {
  const send = async (context: PageContext): Promise<void> => {
    const place = await find(context);
    const { browser, response } = context;
    try {
      const done = await act(context, place);
      if (done === undefined) return await show(context, place, {});
      tell(response, browser, done.notice);
      response.redirect(303, done.to);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined || response.headersSent) throw error;
      const { status, ...said } = refusal;
      response.status(status);
      if (error instanceof TooManyRequests) response.set('Retry-After', String(error.retryAfterSeconds));
      await show(context, place, said);
    }
  };
  pages.get(path, 'signed_in', async (context) => show(context, await find(context), {}));
  if (large === 'with files') pages.postText(path, send);
  else if (large === true) pages.postLarge(path, send);
  else pages.post(path, 'signed_in', send);
};

const wasSent = ({ request }: PageContext): boolean => request.method === 'POST';

/** What the fields of a form hold: what was typed, once it was sent. */
export const typed = <Name extends string>(
  context: PageContext,
  before: Readonly<Record<Name, string>>,
): Readonly<Record<Name, string>> => {
  if (!wasSent(context)) return before;
  const names = Object.keys(before) as Name[];
  return Object.fromEntries(names.map((name) => [name, field(context.request, name)])) as Record<Name, string>;
};

/** The same for a field that may be given several times. */
export const typedList = (context: PageContext, name: string, before: readonly string[]): readonly string[] =>
  wasSent(context) ? fields(context.request, name) : before;

/** Forms send every end of a line as CR LF. */
export const textField = ({ request }: PageContext, name: string): string =>
  field(request, name).replaceAll('\r\n', '\n');

/** A day that may be left empty. @throws Invalid. */
export const dayField = ({ request }: PageContext, name: string): string | null => {
  const day = field(request, name).trim();
  if (day !== '' && !isCalendarDay(day)) throw new Invalid({ [name]: ['is not a date (expected YYYY-MM-DD)'] });
  return day === '' ? null : day;
};
