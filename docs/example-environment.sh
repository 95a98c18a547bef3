# Settings from the environment: CROUPIER_ and the name of the setting. Then run: croupier serve
export CROUPIER_HOST=0.0.0.0
export CROUPIER_PORT=8080
export CROUPIER_DATABASE=sqlite:///croupier.db
export CROUPIER_NAME=floor-1
export CROUPIER_SECURE_COOKIES=true
export CROUPIER_LOG_JSON=true
