# A program that is built elsewhere, in an image with nothing beside it.
FROM debian:stable-slim
WORKDIR /app
COPY ./app /app/app
USER nobody
CMD ["./app"]
