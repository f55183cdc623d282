FROM eclipse-temurin:21 AS build
WORKDIR /src
COPY . .
RUN ./mvnw --batch-mode package -DskipTests

FROM eclipse-temurin:21-jre
WORKDIR /app
COPY --from=build /src/target/*.jar app.jar
USER nobody
EXPOSE 8080
CMD ["java", "-jar", "app.jar"]
