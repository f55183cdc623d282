FROM rust:1 AS build
WORKDIR /src
COPY . .
RUN cargo install --locked --path . --root /out

FROM debian:stable-slim
COPY --from=build /out/bin/ /usr/local/bin/
USER nobody
# The name of the program.
CMD ["app"]
