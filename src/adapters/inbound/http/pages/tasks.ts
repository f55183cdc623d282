import { Overtaken } from '../../../../application/shared/overtaken.js';
import { taskCompletion, withTaskToggled } from '../../../../domain/shared/task-list.js';
import { fieldNumber } from './form-fields.js';
import { tell } from './frame/notice.js';
import { digestOf, isOvertaken } from './frame/seen-values.js';
import type { PageContext } from './page-context.js';
import type { ShownText } from './page-texts.js';

/** A text with a button for each of its tasks, for who may change it. @param form what the form of these buttons is called on the page. */
export const withTasks = <Text extends ShownText>(shown: Text, form: string, mayChange: boolean): Text =>
  mayChange && !shown.cut && taskCompletion(shown.text).count > 0
    ? { ...shown, tasks: { form, seen: digestOf({ text: shown.text }) } }
    : shown;

interface Ticked {
  readonly text: string;
  readonly to: string;
  /** @param seen what the text still has to be. @throws Overtaken. */
  readonly save: (text: string, seen: string) => Promise<unknown>;
}

const OVERTAKEN = 'Nothing was ticked: somebody has changed the text since you opened the page.';

/** Whether nobody has changed the text since it was read. */
const isSaved = async (saving: Promise<unknown>): Promise<boolean> => {
  try {
    await saving;
    return true;
  } catch (error) {
    if (error instanceof Overtaken) return false;
    throw error;
  }
};

/** Does one task of a text, or takes it back. Nothing is saved where the text is not the one that the reader saw. */
export const tickTask = async (context: PageContext, { text, to, save }: Ticked): Promise<void> => {
  const { browser, request, response } = context;
  const ticked = isOvertaken(context, { text }) ? undefined : withTaskToggled(text, fieldNumber(request, 'task'));
  const words = ticked !== undefined && (await isSaved(save(ticked, text))) ? 'Saved.' : OVERTAKEN;
  tell(response, browser, words);
  response.redirect(303, to);
};
