// The cost of the framework: a handler of Express that reads JSON, and does nothing with it.
import express from 'express';

const app = express();
app.post('/*path', express.json(), (request, response) => {
  response.json([{ iid: 1, title: request.body.title }]);
});
const server = app.listen(0, '127.0.0.1', () =>
  process.stdout.write(`"address":"http://127.0.0.1:${server.address().port}"\n`),
);
