# Serves the files of a folder, without root.
FROM nginxinc/nginx-unprivileged:stable
COPY ./public/ /usr/share/nginx/html/
EXPOSE 8080
