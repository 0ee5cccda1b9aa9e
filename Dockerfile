# The image of the program, from nothing but the binary: make image, or
#   make build && docker build -t punchcard .
# The root of a container may be read-only: everything that is written is in the volume /data.
FROM scratch
# The folder /data, which a new volume takes its owner from.
COPY --chown=65532:65532 packaging/image/ /
COPY LICENSE /LICENSE
COPY bin/punchcard /punchcard
# A number, so that Kubernetes can verify that it is not root.
USER 65532:65532
VOLUME /data
EXPOSE 8080
# The root of a volume often belongs to another user, so the folder is one inside it, which the server makes.
ENV PUNCHCARD_LISTEN=0.0.0.0:8080 PUNCHCARD_DATA=/data/punchcard
# Tells whether the process answers. Some orchestrators restart what fails it, so it does not ask for the database.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["/punchcard", "health"]
ENTRYPOINT ["/punchcard"]
CMD ["serve"]
