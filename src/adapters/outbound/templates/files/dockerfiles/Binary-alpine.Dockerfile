# A program that is built elsewhere and linked with musl, or without any C library.
FROM alpine:3
WORKDIR /app
COPY ./app /app/app
USER nobody
CMD ["./app"]
