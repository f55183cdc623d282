/**
 * Lets equal questions that are asked in one turn of the event loop share one answer: in a storm most requests of a turn are for the
 * same integration.
 */
export const sharePerTurn = <Question, Answer>(
  ask: (question: Question) => Answer,
): ((question: Question) => Answer) => {
  const asked = new Map<Question, Answer>();
  return (question) => {
    const known = asked.get(question);
    if (known !== undefined) return known;
    const answer = ask(question);
    if (asked.size === 0) setImmediate(() => asked.clear());
    asked.set(question, answer);
    return answer;
  };
};
