/**
 * Lets questions that are asked in one turn of the event loop share one answer: in a storm most requests of a turn are for the same
 * integration.
 */
export const sharePerTurn = <Question, Answer>(
  ask: (question: Question) => Promise<Answer>,
  keyOf: (question: Question) => string,
): ((question: Question) => Promise<Answer>) => {
  const asked = new Map<string, Promise<Answer>>();
  return (question) => {
    const key = keyOf(question);
    const known = asked.get(key);
    if (known !== undefined) return known;
    const answer = ask(question);
    asked.set(key, answer);
    setImmediate(() => asked.delete(key));
    return answer;
  };
};
