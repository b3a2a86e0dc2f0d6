# The bot with the versions its tests passed with. Model servers have images of their own, see compose.yaml.
FROM python:3.11-slim
WORKDIR /app
COPY pyproject.toml constraints.txt README.md LICENSE manifest.yaml ./
COPY bot bot
COPY evals evals
COPY prompts prompts
COPY retrieval retrieval
COPY workspace workspace
RUN pip install --no-cache-dir --constraint constraints.txt .
RUN useradd --create-home footnote && install --directory --owner=footnote /data
USER footnote
ENV DATA_DIR=/data
VOLUME /data
ENTRYPOINT ["footnote"]
CMD ["run"]
