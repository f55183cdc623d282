FROM composer:2 AS packages
WORKDIR /app
COPY composer.json composer.lock ./
RUN composer install --no-dev --no-scripts --prefer-dist

FROM php:8-apache
COPY --from=packages /app/vendor /var/www/html/vendor
COPY . /var/www/html/
EXPOSE 80
