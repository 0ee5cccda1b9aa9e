import{D as e,M as t,ga as r}from"/assets/chunk-BIQOUKHE.js";function o(){return t(r,{title:e("signIn.me"),children:t("span",{})})}export{o as default};
