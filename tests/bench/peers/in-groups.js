// How the limits write: in groups, and one group at a time.
const GROUP = 64;

/** Answers what takes one more to be written; what comes meanwhile is the next group. Larger ones are cheaper, so it waits while each turn brings more, as the service does. */
export const inGroups = (write) => {
  const waiting = [];
  let running = false;

  const run = async () => {
    running = true;
    while (waiting.length > 0) {
      for (let before = 0; waiting.length > before;) {
        before = waiting.length;
        await new Promise((resume) => setImmediate(resume));
      }
      await write(waiting.splice(0, GROUP));
    }
    running = false;
  };

  return (one) => {
    waiting.push(one);
    if (!running) run();
  };
};

export const sendJson = (response, body) => {
  const text = JSON.stringify(body);
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
};
