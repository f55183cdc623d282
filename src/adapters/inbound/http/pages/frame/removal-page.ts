import { Invalid } from '../../../../../domain/shared/domain-error.js';
import { field } from '../form-fields.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { sendPage } from '../render.js';
import { addFormPage, type Done, type Refusal } from './form-page.js';
import type { PlaceFrame } from './places.js';

/** What is asked before something is destroyed. */
export interface Question {
  /** As in "Remove the label bug?". */
  readonly title: string;
  /** What goes with it, and what stays. */
  readonly consequences: readonly string[];
  /** What the button says. */
  readonly button: string;
  readonly cancel: string;
  /** What must be typed, where a click is too easy. */
  readonly typed?: string;
  /** The page that the question belongs to, where that is one of a project or group. */
  readonly frame?: PlaceFrame;
  /** What the form sends along. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** Something that is destroyed: a page of its own asks first. */
export interface RemovalPage<Place> {
  readonly path: string | RegExp;
  readonly find: (context: PageContext) => Promise<Place>;
  readonly ask: (context: PageContext, place: Place) => Promise<Question> | Question;
  readonly act: (context: PageContext, place: Place) => Promise<Done>;
}

export const showQuestion = ({ browser, response }: PageContext, question: Question, refusal: Refusal = {}): void =>
  sendPage(response, browser, 'removal', { ...question, place: question.frame, ...refusal });

const requireTyped = ({ request }: PageContext, { typed }: Question): void => {
  if (typed !== undefined && field(request, 'confirmation').trim() !== typed)
    throw new Invalid({ confirmation: [`is not ${typed}`] });
};

export const addRemovalPage = <Place>(pages: Pages, { path, find, ask, act }: RemovalPage<Place>): void =>
  addFormPage<Place>(pages, {
    path,
    find,
    show: async (context, place, refusal) => {
      const question = await ask(context, place);
      showQuestion(context, question, refusal);
    },
    act: async (context, place) => {
      requireTyped(context, await ask(context, place));
      return act(context, place);
    },
  });
